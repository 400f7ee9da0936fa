"""What is published: the contents of sdist and wheel, an installed wheel, the site's folders."""

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
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
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


@pytest.mark.slow
def test_what_the_readme_shows_runs_from_the_wheel(built: Path, tmp_path: Path) -> None:
    """In an environment that has the wheel and what it depends on, and away from the checkout."""
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    wheel = built / f"{NAME}-py3-none-any.whl"
    work = tmp_path / "work"
    work.mkdir()

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=work, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(python, "-m", "pip", "install", "--quiet", f"{wheel}[experiments]")
    where = Path(run(python, "-c", "import embedded_hunter; print(embedded_hunter.__file__)"))
    assert where.is_relative_to(tmp_path / "empty")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, flags=re.DOTALL)
    (comment,) = re.findall(r"^print\(.*\)  # (.*)$", code, flags=re.MULTILINE)
    assert run(python, "-c", code) == comment + "\n"
    assert "&& embedded-hunter demo\n" in readme
    assert "forest" in run(python.parent / "embedded-hunter", "demo")
    assert (work / "embedded-hunter-demo" / "demo.svg").exists()
    command = python.parent / "embedded-hunter"
    small = ("--problem", "ackley", "--n", "50", "--d", "4", "--maxfun", "60", "--seed", "1")
    assert "60" in run(command, "minimize", *small, "--checkpoint", "run.jsonl")
    run(command, "trace", "run.jsonl", "--out", "trace.jsonl")
    assert "conforms" in run(command, "check", "trace.jsonl")
    run(command, "kit", "--out", "kit")
    said = run(command, "check", "--exec", f"{python} kit/hunter.py", "--seconds", "1")
    assert "conform" in said
    assert run(command, "claims", "lemma-1").startswith("lemma-1: corrected ")


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
