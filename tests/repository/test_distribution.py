"""What is published: the contents of sdist and wheel, both installed, and the site's folders."""

import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from embedded_hunter import __version__

ROOT = Path(__file__).parents[2]
NAME = f"embedded_hunter-{__version__}"
METADATA = f"{NAME}.dist-info"


def tracked(*parts: str) -> set[str]:
    """Return the files of the repository below these parts."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", *parts], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return set(filter(None, listed.stdout.split("\0")))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sdist, and of the wheel that is built from it."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a checkout")
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return out


@pytest.mark.slow
def test_the_sdist_has_every_file_of_the_repository(built: Path) -> None:
    with tarfile.open(built / f"{NAME}.tar.gz") as archive:
        found = {member.name.removeprefix(f"{NAME}/") for member in archive if member.isfile()}
    assert found == tracked() | {"PKG-INFO"}


@pytest.mark.slow
def test_the_wheel_has_the_library_and_its_metadata_alone(built: Path) -> None:
    """The package ``reproduction`` is what only a checkout has."""
    with zipfile.ZipFile(built / f"{NAME}-py3-none-any.whl") as archive:
        found = set(archive.namelist())
    library = {path.removeprefix("src/") for path in tracked("src/embedded_hunter")}
    files = ["METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"]
    assert found == library | {f"{METADATA}/{file}" for file in files}
    assert tracked("src") > tracked("src/embedded_hunter")


class Installed:
    """What pip installs in an empty environment, and a folder away from the checkout."""

    def __init__(self, folder: Path, what: str) -> None:
        venv.create(folder / "empty", with_pip=True)
        self.programs, self.work = folder / "empty" / "bin", folder / "work"
        self.work.mkdir()
        self("pip", "install", "--quiet", "--constraint", str(ROOT / "constraints.txt"), what)
        (where,) = re.findall(r"^Location: (.*)$", self("pip", "show", "embedded-hunter"), re.M)
        assert Path(where).is_relative_to(folder)

    def __call__(self, program: str, *arguments: str) -> str:
        """Run a program of the environment; return what it prints."""
        done = subprocess.run(
            [self.programs / program, *arguments], cwd=self.work, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.mark.slow
def test_what_the_readme_shows_runs_from_the_wheel(built: Path, tmp_path: Path) -> None:
    run = Installed(tmp_path, f"{built / NAME}-py3-none-any.whl")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)
    (comment,) = re.findall(r"^print\(.*\)  # (.*)$", code, flags=re.MULTILINE)
    assert run("python", "-c", code) == comment + "\n"
    assert "&& embedded-hunter demo\n" in readme
    assert "forest" in run("embedded-hunter", "demo")


@pytest.mark.slow
def test_the_commands_run_from_the_sdist_without_an_extra(built: Path, tmp_path: Path) -> None:
    run = Installed(tmp_path, f"{built / NAME}.tar.gz")
    (run.work / "mine.py").write_text("def f(x):\n    return x[7] ** 2\n")
    given = ("mine.py:f", "--n", "50", "--maxfun", "60", "--seed", "1", "--checkpoint", "run.jsonl")
    assert "60" in run("embedded-hunter", "minimize", *given)
    run("embedded-hunter", "trace", "run.jsonl", "--out", "trace.jsonl")
    assert "conforms" in run("embedded-hunter", "check", "trace.jsonl")
    run("embedded-hunter", "kit", "--out", "kit")
    assert "conforms" in run("embedded-hunter", "check", "kit/golden/ties.jsonl")


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_the_site_has_a_copy_for_each_version_and_no_copy_has_another(tmp_path: Path) -> None:
    """The build itself is left out; it was made before."""
    docs, source = tmp_path / "docs", tmp_path / "src" / "embedded_hunter"
    source.mkdir(parents=True)
    html = docs / "_build" / "html"
    html.mkdir(parents=True)
    shutil.copy(ROOT / "docs" / "Makefile", docs)
    for version, text in (("0.1.0", "old"), ("0.2.0", "new"), ("0.2.1", "newer")):
        (source / "version.py").write_text(f'"""The version."""\n\n__version__ = "{version}"\n')
        (html / "index.html").write_text(text)
        subprocess.run(
            ["make", "-C", docs, "versioned", "PYTHON=true"], check=True, capture_output=True
        )
    pages = {path.relative_to(html).as_posix(): path.read_text() for path in html.rglob("*.html")}
    assert pages == {"index.html": "newer", "0.1/index.html": "old", "0.2/index.html": "newer"}
