"""The command line. What a command needs is imported for it alone, so that `agent` is quick."""

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path

from sidekicks import __version__
from sidekicks.base import words
from sidekicks.contract.errors import SidekicksError
from sidekicks.main.words import say
from sidekicks.system import clean_own_environment

EXIT_REFUSED = 2
"""The command could not be done, with the reason on stderr."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    clean_own_environment()
    # Warnings are for us and our tests; what the person should know is said in words.
    if not sys.warnoptions:
        warnings.simplefilter("ignore")
    words.set_language(words.system_language())
    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(options)
    except SidekicksError as error:
        print(f"sidekicks: {error.message}", file=sys.stderr)
        return EXIT_REFUSED


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what the arguments say; those of one command only are there with it."""
    # Not by `set_defaults`: the option is one object in all parsers, and a command's would then
    # take back what was given before the command.
    return _parser().parse_args(arguments, argparse.Namespace(config=None))


def _run(options: argparse.Namespace) -> int:
    if options.command == "agent":
        from sidekicks.companion import run as run_companion

        return run_companion()
    from sidekicks.config import default_config_path

    config = (options.config or default_config_path()).expanduser().absolute()
    match options.command:
        case "serve":
            from sidekicks.main.serve import serve

            return serve(config, port=options.port, json=options.json, open_=options.open)
        case "ask":
            from sidekicks.main.ask import ask

            text = sys.stdin.read() if options.text == "-" else options.text
            return ask(config, options.who, text, json=options.json)
        case "doctor":
            from sidekicks.main.doctor import print_diagnosis

            return print_diagnosis(config, options.who, json=options.json)
        case _ if options.selftest:
            from sidekicks.main.selftest import selftest

            return selftest()
        case _:
            from sidekicks.main.desktop import open_desktop

            return open_desktop(config)


def _parser() -> argparse.ArgumentParser:
    config = argparse.ArgumentParser(add_help=False)
    # Given before or after the command; where it is not given, what was given before stays.
    config.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        default=argparse.SUPPRESS,
        help=say("help_config", path="sidekicks.yaml"),
    )
    parser = argparse.ArgumentParser(prog="sidekicks", description=say("about"), parents=[config])
    parser.add_argument(
        "--version",
        action="version",
        version=f"sidekicks {__version__}",
        help=say("help_version"),
    )
    parser.add_argument("--selftest", action="store_true", help=say("help_selftest"))
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    serve = commands.add_parser("serve", parents=[config], help=say("help_serve"))
    serve.add_argument("--port", type=int, default=0, help=say("help_port"))
    serve.add_argument("--json", action="store_true", help=say("help_json"))
    serve.add_argument("--open", action="store_true", help=say("help_open"))

    ask = commands.add_parser("ask", parents=[config], help=say("help_ask"))
    ask.add_argument("who", metavar="WHO", help=say("help_who"))
    ask.add_argument("text", metavar="TEXT", help=say("help_text"))
    ask.add_argument("--json", action="store_true", help=say("help_json"))

    doctor = commands.add_parser("doctor", parents=[config], help=say("help_doctor"))
    doctor.add_argument("who", metavar="WHO", nargs="?", help=say("help_doctor_who"))
    doctor.add_argument("--json", action="store_true", help=say("help_json"))

    commands.add_parser("agent", help=say("help_agent"))
    return parser
