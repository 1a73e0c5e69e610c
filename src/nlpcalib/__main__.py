"""The command line, by `python -m nlpcalib`."""

import sys

from nlpcalib.cli.app import main

sys.exit(main())
