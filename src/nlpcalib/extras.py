"""What installs the packages of an extra, in a clone as next to an installed wheel."""

import re
import shlex
from importlib.metadata import PackageNotFoundError, requires


def install_command(extra: str) -> str:
    """Return the command that installs what an extra needs: nlpcalib itself is not on the package index."""
    try:
        listed = requires("nlpcalib") or []
    except PackageNotFoundError:  # a checkout that was not installed
        return f'pip install ".[{extra}]" in a clone'
    of_extra = [each.partition(";")[0].strip() for each in listed if re.search(rf"extra == ['\"]{extra}['\"]", each)]
    return f"pip install {shlex.join(of_extra)}"
