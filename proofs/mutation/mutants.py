"""Tell the mutants of mutants.txt from the model and the model of the forest (`make mutants`).

python3 mutation/mutants.py            in proofs/: run the models and each mutant on a few instances
                                       (vm_compute); for each mutant print the first difference, in
                                       the rows of Observe.v, and fail if there is none
python3 mutation/mutants.py --check    only see that each mutant still finds its lines
python3 mutation/mutants.py NAME ...   only the mutants whose names contain one of these
"""

import re
import shutil
import subprocess
import sys
import tempfile
from itertools import zip_longest
from pathlib import Path

# k d h_max v cap_num cap_den seed levels: K = 2k + 1, (2RM)^2 = cap_num / cap_den, `levels` values.
# Every fraction is a (2RM)^2 for some M.
MODEL = """
1 1 1 30 0 1 7 1000003, 1 1 3 12 4 1 7 3, 1 2 3 40 18 1 11 1000003, 1 2 4 60 9 1 3 2,
1 2 2 100 81 2 5 4, 2 1 2 45 25 4 13 5, 1 3 5 80 36 1 17 7, 2 2 3 90 100 3 19 1000003,
1 1 0 20 1 1 23 9, 1 2 5 75 200 1 29 1000003, 1 1 6 90 9 1 31 2, 1 2 2 8 9 1 41 1000003"""
# k d h_max v P separate by_norm more seed levels; by_norm 0 is one class for each depth, more the
# number of dimensions but one.
FOREST = """
1 1 1 30 2 1 0 0 7 1000003, 1 1 3 25 3 1 0 0 7 3, 1 2 3 60 3 1 0 0 11 1000003,
1 2 4 61 4 1 0 0 3 2, 1 2 3 60 2 0 0 0 5 1000003, 1 2 4 70 2 0 0 0 13 4,
1 2 4 80 3 1 1 0 17 1000003, 2 2 3 90 2 0 1 0 19 7, 2 1 2 66 5 1 0 0 23 5,
1 3 5 81 2 1 1 0 29 2, 1 1 0 20 3 1 0 0 31 9, 2 1 3 14 2 0 0 0 37 1000003,
1 1 3 90 4 1 0 1 7 1000003, 1 1 1 60 3 1 0 2 41 4, 1 2 4 70 3 1 0 2 43 1000003,
1 1 0 60 5 1 0 1 3 1000003"""
INSTANCES = {"Observe": MODEL.split(","), "ObserveForest": FOREST.split(",")}
FILES = {
    "Lattice": "geometry", "Model": "model", "Observe": "mutation", "Forest": "forest",
    "ObserveForest": "mutation",
}  # fmt: skip
"""The folder of each file, in the order in which they are compiled."""


def source(module: str) -> str:
    """Return the text of a file; those that observe do so on every instance."""
    text = Path(FILES[module], f"{module}.v").read_text(encoding="utf-8")
    if module in INSTANCES:
        text += "Set Printing Width 1000000.\nSet Printing Depth 1000000.\n"
    for instance in INSTANCES.get(module, []):
        text += f"Eval vm_compute in (observe {instance}).\n"
    return text


def read(text: str) -> dict[str, tuple[str, str]]:
    """Return the file of each mutant, and the file's text with the mutation."""
    found: dict[str, tuple[str, str]] = {}
    for block in re.split(r"\n(?=\[)", text)[1:]:
        name, file = re.findall(r"^\[(.*)\] (\w+)\.v$", block, re.MULTILINE)[0]
        old, new = ("\n".join(re.findall(rf"^\{sign} (.*)$", block, re.MULTILINE)) for sign in "-+")
        times = source(file).count(old)
        if name in found or not old or not new or old == new or times != 1:
            sys.exit(
                f"mutants.txt: {name} stands twice, changes nothing, or is found {times} times "
                f"in {file}.v: {old}"
            )
        found[name] = file, source(file).replace(old, new)
    return found


def observe(folder: Path, files: dict[str, str]) -> dict[str, list[list[str]]]:
    """Compile files; return the rows that each of them shows of the run on each instance."""
    shown = {}
    for module, text in files.items():
        (folder / f"{module}.v").write_text(text, encoding="utf-8")
        command = ["coqc", "-Q", ".", "EmbeddedHunter", f"{module}.v"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{folder.name}: {module}.v: {done.stdout}{done.stderr}"[:600])
        runs = re.findall(r"=\s*\[(.*?)\]\s*:\s*list", done.stdout, re.DOTALL)
        if len(runs) != len(INSTANCES.get(module, [])):
            sys.exit(f"the output of Rocq was not understood: {done.stdout[:500]}")
        shown[module] = [re.findall(r"\[([^\]]*)\]", run) for run in runs]
    return shown


def difference(observer: str, true: list[list[str]], runs: list[list[str]]) -> str | None:
    """Return the first difference of two lists of runs."""
    for instance, one, other in zip(INSTANCES[observer], true, runs, strict=True):
        for a, b in zip_longest(one, other):
            if a != b:
                return f"{observer} {instance.strip()}\n    model: {a}, mutant: {b}"
    return None


def main(names: list[str]) -> None:
    """Tell the mutants from the models."""
    mutants = read(Path("mutation/mutants.txt").read_text(encoding="utf-8"))
    if names == ["--check"]:
        return
    chosen = [name for name in mutants if not names or any(part in name for part in names)]
    modules, alive = list(FILES), 0
    with tempfile.TemporaryDirectory() as scratch:
        model = Path(scratch, "model")
        model.mkdir()
        true = observe(model, {module: source(module) for module in modules})
        for number, name in enumerate(chosen):
            (file, text), folder = mutants[name], Path(scratch, str(number))
            folder.mkdir()
            first, last = modules.index(file), "ObserveForest" if file == "Forest" else "Observe"
            for module in modules[:first]:
                shutil.copy(model / f"{module}.vo", folder)
            later = modules[first + 1 : modules.index(last) + 1]
            shown = observe(folder, {file: text, **{module: source(module) for module in later}})
            found = difference(last, true[last], shown[last])
            print(f"{name}\n    {found or 'NO DIFFERENCE on any instance'}")
            alive += found is None
    print(f"{len(chosen)} mutants, {len(chosen) - alive} of them told from the model")
    sys.exit(alive > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
