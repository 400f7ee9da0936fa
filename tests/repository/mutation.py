"""Mutation testing of one module: which faults in it would its tests not see?

    python tests/repository/mutation.py src/embedded_hunter/node.py tests/paper/test_node.py

The first argument is the module, the others are the files of its tests. mutmut makes the mutants in
a copy of the tree and runs for each mutant the tests that reach the mutated function. Then each
mutant that no test noticed is printed as a difference.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def configuration(module: str, tests: list[str], files: list[str]) -> str:
    """Return the section of pyproject.toml that mutmut reads."""
    beside = sorted({name.split("/")[0] for name in files} - {"src", "tests", "pyproject.toml"})
    arguments = ["--long", "-p", "no:cacheprovider"]
    return (
        '\n[tool.mutmut]\nsource_paths = ["src/"]\n'
        f"only_mutate = {json.dumps([module])}\nalso_copy = {json.dumps(beside)}\n"
        f"pytest_add_cli_args = {json.dumps(arguments)}\n"
        f"pytest_add_cli_args_test_selection = {json.dumps(tests)}\n"
    )


def main(module: str, tests: list[str]) -> int:
    """Run the mutants of a module; return 1 if one survives."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True)
    files = listed.stdout.decode().splitlines()
    environment = os.environ | {"HYPOTHESIS_PROFILE": "mutation", "PYTHONPATH": ""}
    with tempfile.TemporaryDirectory() as folder:
        for name in filter(lambda name: (ROOT / name).is_file(), files):
            (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, Path(folder) / name)
        with (Path(folder) / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write(configuration(module, tests, files))

        def mutmut(*words: str, show: bool = False) -> str:
            command = [sys.executable, "-m", "mutmut", *words]
            out = None if show else subprocess.PIPE
            done = subprocess.run(
                command, cwd=folder, env=environment, check=True, stdout=out, text=True
            )
            return done.stdout or ""

        mutmut("run", show=True)
        left = [line.split(":")[0].strip() for line in mutmut("results").splitlines()]
        for name in left:
            print(mutmut("show", name))
    return 1 if left else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
