"""The composition root: the command line, the wiring, the start and stop order."""
