"""Check configuration files before Snakemake reads them, and name the line, the column or the key that is wrong.

    .venv/bin/python tools/check_config.py my.yaml

Snakemake reads what `--configfile` names before it asks anybody, and names no line of a file that is not YAML. The
files are checked one by one, and then together, laid over `config.yaml` in this order.
"""

import argparse
import sys
from pathlib import Path

from snakemake.utils import update_config

from nlpcalib.errors import InputError
from reproduction.configuration import check_config, read_yaml

ROOT = Path(__file__).parents[1]


def main(files: list[Path]) -> int:
    """Print what is wrong first, and return the exit status."""
    config: dict = {}
    try:
        for file in [ROOT / "config.yaml", *files]:
            read = read_yaml(file)
            if not isinstance(read, dict):
                raise InputError(f"{file}: found no keys at the top, expected some")
            update_config(config, read)
        check_config(config, ROOT / "workflow/schemas/config.schema.yaml")
    except (InputError, OSError) as error:
        print(" ".join(str(error).split()), file=sys.stderr)
        return 2
    print(f"{len(files)} files laid over config.yaml: as the schema wants them")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", help="in the order of --configfile")
    sys.exit(main(parser.parse_args().files))
