"""`make run`: the window where there is a display, else the page for a browser on this computer."""

import os
import sys

from ground import VENV, has_display, say

arguments = sys.argv[1:]
if not arguments and not has_display():
    say("No display here: open the link in a browser on this computer. Ctrl-C ends it.")
    arguments = ["serve"]
program = str(VENV / "bin" / "sidekicks")
os.execv(program, [program, *arguments])
