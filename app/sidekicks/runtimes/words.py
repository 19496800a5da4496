"""Where agents run, said to the person."""

from typing import Final

from sidekicks.base.words import Words

say: Final = Words({
    "local": ("this computer", "cet ordinateur"),
    "container": ("container {name}", "conteneur {name}"),
    "container_there": ("container {name} on {context}", "conteneur {name} sur {context}"),
    "sandbox": ("sandbox {name}", "bac à sable {name}"),
    "unsupported": (
        "{name} is to run in {where}, which this version cannot do yet. Set its `runtime` to"
        " `type: local` to run it on this computer.",
        "{name} doit tourner dans {where}, ce que cette version ne sait pas encore faire. Donnez à"
        " son `runtime` le `type: local` pour l’exécuter sur cet ordinateur.",
    ),
    "no_command": (
        "{name} has no `command` in the configuration: it is a folder without a conversation.",
        "{name} n’a pas de `command` dans la configuration : c’est un dossier sans conversation.",
    ),
})  # fmt: skip
