"""All attacks. Importing this module imports the files that contain them."""

from importlib import import_module
from pathlib import Path

from attacks.search import REGISTRY, Attack

FILES = sorted(Path(__file__).parent.glob("test_on_*.py"))


def attacks() -> list[Attack]:
    """Return all attacks, in the order of the files."""
    for path in FILES:
        import_module(f"attacks.{path.stem}")
    return REGISTRY.attacks
