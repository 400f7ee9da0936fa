"""Tell the mutants of mutants.txt from the model and the model of the forest (`make mutants`).

python3 mutation/mutants.py            in proofs/: run the models and each mutant on a few instances
                                       (vm_compute); for each mutant print the first difference, and
                                       fail if there is none
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
# k d h_max v P separate by_norm seed levels; by_norm 0 is one class for each depth.
FOREST = """
1 1 1 30 2 1 0 7 1000003, 1 1 3 25 3 1 0 7 3, 1 2 3 60 3 1 0 11 1000003, 1 2 4 61 4 1 0 3 2,
1 2 3 60 2 0 0 5 1000003, 1 2 4 70 2 0 0 13 4, 1 2 4 80 3 1 1 17 1000003, 2 2 3 90 2 0 1 19 7,
2 1 2 66 5 1 0 23 5, 1 3 5 81 2 1 1 29 2, 1 1 0 20 3 1 0 31 9, 2 1 3 14 2 0 0 37 1000003"""
PATHS = {
    Path(line).stem: line for line in Path("_CoqProject").read_text().split() if line[-2:] == ".v"
}


def read(text: str) -> dict[str, tuple[str, str]]:
    """Return the file of each mutant, and the file's text with the mutation."""
    found: dict[str, tuple[str, str]] = {}
    for block in re.split(r"\n(?=\[)", text):
        if not (head := re.search(r"^\[(.*)\] (\w+)\.v$", block, re.MULTILINE)):
            continue
        name, file = head.groups()
        old, new = ("\n".join(re.findall(rf"^\{sign} (.*)$", block, re.MULTILINE)) for sign in "-+")
        source = Path(PATHS[file]).read_text(encoding="utf-8")
        if name in found or not old or not new or old == new or source.count(old) != 1:
            times = f"{source.count(old)} times in {PATHS[file]}"
            sys.exit(
                f"mutants.txt: {name} stands twice, changes nothing, or is found {times}: {old}"
            )
        found[name] = file, source.replace(old, new)
    return found


def observe(folder: Path, forest: bool, files: list[str]) -> list[list[list[str]]]:
    """Compile files and return what the run on each instance shows: a list of rows."""
    observer, instances = ("ObserveForest", FOREST) if forest else ("Observe", MODEL)
    source = Path("mutation", f"{observer}.v").read_text(encoding="utf-8")
    source += "Set Printing Width 1000000.\nSet Printing Depth 1000000.\n"
    for instance in instances.split(","):
        numbers = instance.split()
        integers = 2 if forest else 4  # the last ones
        arguments = [f"{n}%nat" for n in numbers[:-integers]] + [
            f"{n}%Z" for n in numbers[-integers:]
        ]
        source += f"Eval vm_compute in (observe {' '.join(arguments)}).\n"
    (folder / f"{observer}.v").write_text(source, encoding="utf-8")
    for file in [*files, observer]:
        command = ["coqc", "-Q", ".", "EmbeddedHunter", f"{file}.v"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{folder.name}: {file}.v: {done.stdout}{done.stderr}"[:600])
    runs = re.findall(r"=\s*\[(.*?)\]\s*:\s*list", done.stdout, re.DOTALL)
    if len(runs) != len(instances.split(",")):
        sys.exit(f"the output of Rocq was not understood: {done.stdout[:500]}")
    return [
        [re.sub(r"\s", "", row).split(";") for row in re.findall(r"\[([^\]]*)\]", run)]
        for run in runs
    ]


def words(row: list[str] | None) -> str:
    """Return a row in words."""
    if row is None:
        return "nothing"
    kind, n = row[0], [*row[1:], "infinity"]
    return {
        "1": "sweep over depths 0..{0}", "2": "visit of depth {0}",
        "3": "expansion of ({2},{3}) at {0}", "4": "evaluation {0} of ({3},{4}): {1}",
        "5": "nu_min {0}", "6": "{0} iterations", "7": "answer {0}", "9": "nu_min of queue {0} {1}",
    }.get(kind, "leaf ({0},{1})").format(*n)  # fmt: skip


def difference(
    forest: bool, true: list[list[list[str]]], runs: list[list[list[str]]]
) -> str | None:
    """Return the first difference of two lists of runs in words."""
    instances = (FOREST if forest else MODEL).split(",")
    names = (
        "k d h_max v P separate by_norm seed levels"
        if forest
        else "k d h_max v cap_num cap_den seed levels"
    )
    for instance, one, other in zip(instances, true, runs, strict=True):
        for a, b in zip_longest(one, other):
            if a != b:
                setting = ", ".join(map("{} = {}".format, names.split(), instance.split()))
                return f"{setting}\n    model: {words(a)}; mutant: {words(b)}"
    return None


def main(names: list[str]) -> None:
    """Tell the mutants from the models."""
    mutants = read(Path("mutation/mutants.txt").read_text(encoding="utf-8"))
    if names == ["--check"]:
        return
    chosen = {
        name: it for name, it in mutants.items() if not names or any(n in name for n in names)
    }
    alive = 0
    with tempfile.TemporaryDirectory() as scratch:
        model = Path(scratch, "model")
        model.mkdir()
        for module in ("Lattice", "Model", "Forest"):
            shutil.copy(PATHS[module], model)
        true = {False: observe(model, False, ["Lattice", "Model"])}
        true[True] = observe(model, True, ["Forest"])
        for number, (name, (file, text)) in enumerate(chosen.items()):
            folder, forest = Path(scratch, str(number)), file == "Forest"
            folder.mkdir()
            (folder / f"{file}.v").write_text(text, encoding="utf-8")
            compiled = {
                "Forest": ["Lattice", "Model", "Observe"],
                "Model": ["Lattice"],
                "Lattice": [],
            }
            for module in compiled[file]:
                shutil.copy(model / f"{module}.vo", folder)
            if file == "Lattice":
                shutil.copy(PATHS["Model"], folder)
            files = ["Lattice", "Model"] if file == "Lattice" else [file]
            found = difference(forest, true[forest], observe(folder, forest, files))
            print(f"{name}\n    {found or 'NO DIFFERENCE on any instance'}")
            alive += found is None
    print(f"{len(chosen)} mutants, {len(chosen) - alive} of them told from the model")
    sys.exit(alive > 0)


if __name__ == "__main__":
    main(sys.argv[1:])
