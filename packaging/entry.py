"""Where the frozen app begins: the command `sidekicks`."""

from sidekicks.main.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
