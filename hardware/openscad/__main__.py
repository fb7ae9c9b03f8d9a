"""Exports the printed parts of a board: `python -m hardware.openscad BOARD reed|digital|analogue FOLDER`."""

import sys

from hardware.openscad.export import main

sys.exit(main(sys.argv[1:]))
