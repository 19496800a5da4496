"""The configuration that a first run begins with: commented, and with the bundled agent.

That agent needs nothing else installed, so the first run works at once.
"""

import contextlib
import errno
import os
import tempfile
from pathlib import Path
from typing import Final

from sidekicks.base.words import Language, language

EXAMPLE_FOLDER: Final = "sidekick"
"""The bundled agent's folder, made beside the file together with it.

Not the home folder: whatever an agent does in its folder should be easy to look over, and the
first conversation should put nothing of the person's at risk.
"""

_NO_LINKS: Final = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK)
_EXAMPLES: Final[dict[Language, str]] = {
    "en": """\
# Sidekicks: your agents. What you change here counts as soon as you save it.

maxRunning: 2               # agent programs that run at once
# maxAnswering: 2           # answers written at once; as maxRunning unless said
# recap: {{messages: 20, characters: 800, total: 8000}}   # what an agent is told

agents:
  sidekick:                 # the id, for @sidekick: lower case letters, digits, - and _
    name: Sidekick          # the name that is shown
    command: sidekicks      # the program; `sidekicks` is the agent that comes with this app
    args: [agent]
    workspace: {workspace:<12} # the agent's folder: ~/work, $WORK/notes, or beside this file

  # Another agent that speaks ACP. Take the # away, and put in yours:
  # alice:
  #   name: Alice
  #   command: opencode     # found in PATH and in the usual install folders
  #   args: [acp]
  #   env: {{EDITOR: nano}}
  #   workspace: ~/work/alice
  #   keep: true            # never stopped to make room for another

  # One that runs in a Docker container:
  # bob:
  #   command: my-agent
  #   workspace: ~/work/bob
  #   runtime:
  #     type: container     # local (this computer), container, or sbx (a Docker sandbox)
  #     container: my-box   # its name or id; for sbx instead: `sandbox: my-sandbox`
  #     workspacePath: /work   # the folder inside; the same path as `workspace` unless said

  # Without `command` an entry is a folder only: files and a terminal, no conversation.
  # notes:
  #   workspace: ~/notes
""",
    "fr": """\
# Sidekicks : vos agents. Ce que vous changez ici compte dès que vous enregistrez.

maxRunning: 2               # programmes d’agents qui tournent à la fois
# maxAnswering: 2           # réponses écrites à la fois ; comme maxRunning par défaut
# recap: {{messages: 20, characters: 800, total: 8000}}   # ce qu’un agent apprend

agents:
  sidekick:                 # l’identifiant, pour @sidekick : minuscules, chiffres, - et _
    name: Sidekick          # le nom affiché
    command: sidekicks      # le programme ; `sidekicks` est l’agent livré avec l’application
    args: [agent]
    workspace: {workspace:<12} # son dossier : ~/travail, $TRAVAIL/notes, ou près de ce fichier

  # Un autre agent qui parle ACP. Retirez les #, et mettez le vôtre :
  # alice:
  #   name: Alice
  #   command: opencode     # cherché dans PATH et dans les dossiers d’installation habituels
  #   args: [acp]
  #   env: {{EDITOR: nano}}
  #   workspace: ~/travail/alice
  #   keep: true            # jamais arrêté pour faire de la place à un autre

  # Un agent qui tourne dans un conteneur Docker :
  # bob:
  #   command: mon-agent
  #   workspace: ~/travail/bob
  #   runtime:
  #     type: container     # local (cet ordinateur), container, ou sbx (un bac à sable Docker)
  #     container: ma-boite # son nom ou son id ; pour sbx : `sandbox: mon-bac`
  #     workspacePath: /work   # le dossier à l’intérieur ; comme `workspace` par défaut

  # Sans `command`, une entrée n’est qu’un dossier : fichiers et terminal, pas de conversation.
  # notes:
  #   workspace: ~/notes
""",
}


def example_text(workspace: str = EXAMPLE_FOLDER) -> str:
    """Return the example, in the language spoken, with `workspace` as YAML writes it."""
    return _EXAMPLES[language()].format(workspace=workspace)


def create_example(path: Path) -> None:
    """Write the example to `path`, at once or not at all, and never over anything.

    Only the person may read the file: `env` is where keys to paid services are put.

    Raises:
        OSError: it cannot be written there.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    opened, name = tempfile.mkstemp(dir=path.parent, prefix=".sidekicks-")
    temporary = Path(name)
    try:
        with os.fdopen(opened, "wb") as file:
            file.write(example_text().encode())
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            (path.parent / EXAMPLE_FOLDER).mkdir(mode=0o700)
        _publish(temporary, path)
    finally:
        temporary.unlink()


def _publish(temporary: Path, path: Path) -> None:
    """Give the file its name. A link, unlike a rename, never replaces what appeared meanwhile."""
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        return
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # A file system without hard links, such as a memory stick's.
        with contextlib.suppress(FileExistsError), path.open("xb") as file:
            file.write(temporary.read_bytes())
