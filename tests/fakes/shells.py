"""Login shells for tests: start-up files for the real ones, and scripts that pass for one."""

import shutil
from pathlib import Path

KNOWN = ("bash", "dash", "zsh", "fish", "tcsh", "ksh", "nu")
INSTALLED = [path for name in KNOWN if (path := shutil.which(name)) is not None]

_SH = 'echo "noise from $0"; export FROM_LOGIN=login; [ -r ~/.interactive ] && . ~/.interactive'
_SH_INTERACTIVE = """
case $- in *i*) ;; *) return ;; esac
export FROM_RC='two
lines' PATH="$HOME/rc/bin:$PATH:.:"
"""
FILES = {
    ".profile": "export ENV=$HOME/.interactive\n" + _SH.partition("; [")[0],
    ".bash_profile": _SH,
    ".interactive": _SH_INTERACTIVE,
    ".zprofile": _SH.partition("; [")[0],
    ".zshrc": _SH_INTERACTIVE,
    ".config/fish/config.fish": """
echo noise
set -gx FROM_LOGIN login
if status is-interactive
    set -gx FROM_RC two\\nlines
    set -gx PATH ~/rc/bin $PATH . ''
end
""",
    ".tcshrc": """
echo noise
setenv FROM_RC 'two\\
lines'
setenv PATH ~/rc/bin:${PATH}:.:
""",
    ".login": "setenv FROM_LOGIN login\n",
    ".config/nushell/login.nu": "$env.FROM_LOGIN = 'login'; print noise\n",
    ".config/nushell/config.nu": """
$env.FROM_RC = "two\\nlines"
$env.PATH = ($env.PATH | prepend ($env.HOME | path join rc/bin) | append ["." ""])
""",
}
"""Each says `FROM_LOGIN`, and, for an interactive shell only (tcsh does not tell one that is given
a command from any other), `FROM_RC` and a longer PATH.
"""


def write_start_up_files(home: Path) -> None:
    """Write start-up files for every shell that we know."""
    for name, content in FILES.items():
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)


def make_shell(folder: Path, start_up: str) -> Path:
    """Make a shell that runs `start_up`, interactive or not, and then what it is asked for."""
    shell = folder / "myshell"
    shell.write_text(f"""#!/bin/sh
while [ $# -gt 1 ]; do
    case $1 in -*i*) interactive=yes ;; esac
    shift
done
{start_up}
eval "$1"
""")
    shell.chmod(0o755)
    return shell
