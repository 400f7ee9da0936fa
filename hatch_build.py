"""Write the table of claims into the wheel: what ``embedded-hunter claims`` prints."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClaimsTable(BuildHookInterface):  # type: ignore[misc]
    """Adds ``embedded_hunter/claims.json``, made from ``docs/claims.toml``, to a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the table. An editable install has none: ``python -m reproduction claims`` does."""
        if version == "editable":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "src"))
        from reproduction.claims.registry import table_of

        path = Path(tempfile.mkdtemp()) / "claims.json"
        table = {"version": self.metadata.version, "claims": table_of(root)}
        path.write_text(json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        build_data["force_include"][str(path)] = "embedded_hunter/claims.json"
