"""Write the table of keys in docs/reference/coref.md, from the descriptions of the JSON Schema next to it.

python -m tools.coref_keys
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).parents[1] / "docs/reference"
PAGE, SCHEMA = REFERENCE / "coref.md", REFERENCE / "coref.schema.json"
BLOCK = re.compile(r"<!-- keys -->\n.*?<!-- end -->\n", re.DOTALL)


def keys(schema: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path and the description of every key of an object, and of those below it."""
    for name, below in schema.get("properties", {}).items():
        yield f"{prefix}{name}", below["description"]
        yield from keys(below, f"{prefix}{name}.")
        yield from keys(below.get("items", {}), f"{prefix}{name}[].")


def with_keys(text: str) -> str:
    """Return the page with the keys as the schema describes them."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    rows = "".join(f"| `{name}` | {description} |\n" for name, description in keys(schema))
    return BLOCK.sub(lambda _: f"<!-- keys -->\n\n| key | meaning |\n| --- | --- |\n{rows}\n<!-- end -->\n", text)


if __name__ == "__main__":
    PAGE.write_text(with_keys(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
