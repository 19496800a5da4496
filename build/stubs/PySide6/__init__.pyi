# Only what the window uses: PySide6 is installed on Linux alone, types are checked on Macs too.
