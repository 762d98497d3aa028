"""A tool of a language by its verbs: what looks, what runs the project, what installs, what is for everybody."""

from collections.abc import Mapping

from assent.policy.commands._origins import ACCOUNT, LOGIN, PUBLISH, SETTINGS
from assent.policy.commands.spec import Spec, careful, changes, dangerous, each, known, queries
from assent.policy.effects import Effect
from assent.protocol.risk import Risk

PROJECT = careful("project", "It runs code of the project.")
TESTS = careful("project", "It runs tests of the project.")
BUILD = careful("project", "It builds the project, and what the project says runs then.")
INSTALL = careful("install", "It installs packages, and their scripts run then.")
REMOVE = careful("install", "It removes packages from the project.")
REMOVE_ALL = dangerous("delete", "It removes a program for everything that uses it.")
MADE_AGAIN = changes("delete", "It removes what was built, which is made again.")
NEW = changes("write", "It makes files of the project.")
FORMAT = changes("write", "It rewrites programs of the project.")
ITSELF = known("It only tells about itself.")
REPL = careful("run", "It starts an interpreter that waits for input.")
BROWSER = careful("fetch", "It opens a page in the browser.")


def described(why: str, options: str = "*", operands: str = "text*") -> Spec:
    """Looks at the project through its own description, which is a program: nothing else of the project runs."""
    return Spec(why, options, operands, does=(Effect("project", Risk.LOOK, why),))


def tool(
    why: str,
    top: str = "",
    *,
    looks: str = "",
    asks: str = "",
    project: str = "",
    tests: str = "",
    builds: str = "",
    installs: str = "",
    removes: str = "",
    cleans: str = "",
    makes: str = "",
    formats: str = "",
    publishes: str = "",
    accounts: str = "",
    logins: str = "",
    settings: str = "",
    more: Mapping[str, Spec] | None = None,
) -> Spec:
    """Each text names verbs; ``top`` are options before the verb, for which nothing may be left open."""
    return Spec(
        why,
        f"--version --help {top}",
        verbs={
            "": ITSELF,
            "help": ITSELF,
            "version": ITSELF,
            **each(looks, known("It tells about the project or about what is installed.")),
            **each(asks, queries("It asks the registry, and changes nothing there.")),
            **each(project, PROJECT),
            **each(tests, TESTS),
            **each(builds, BUILD),
            **each(installs, INSTALL),
            **each(removes, REMOVE),
            **each(cleans, MADE_AGAIN),
            **each(makes, NEW),
            **each(formats, FORMAT),
            **each(publishes, PUBLISH),
            **each(accounts, ACCOUNT),
            **each(logins, LOGIN),
            **each(settings, SETTINGS),
            **(more or {}),
        },
    )
