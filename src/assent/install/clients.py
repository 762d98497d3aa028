"""The clients on this machine that Assent can be installed for."""

import shutil
from collections.abc import Iterator

from assent.harnesses import registry
from assent.harnesses.base import Harness
from assent.harnesses.site import Site


def program(harness: Harness, site: Site) -> str | None:
    """Where the client's command is, for the PATH of this site."""
    return shutil.which(harness.PROGRAM, path=site.environ.get("PATH")) if harness.PROGRAM else None


def installable(site: Site) -> list[Harness]:
    """Those that have settings to write into; others are started through Assent."""
    return [harness for harness in registry.HARNESSES.values() if harness.places(site)]


def here(site: Site) -> list[Harness]:
    """Those whose command is on PATH. The default one is also known by its folder, because people start it by an alias,
    and it is taken where no other is found."""
    found = [harness for harness in installable(site) if _is_here(harness, site)]
    return found or [registry.default()]


def _is_here(harness: Harness, site: Site) -> bool:
    if program(harness, site) is not None:
        return True
    folders = (place.path.parent for place in harness.places(site) if place.scope == "user")
    return harness.NAME == registry.DEFAULT and any(folder.is_dir() for folder in folders)


def told(site: Site) -> Iterator[str]:
    """One line for each that is here: its version and where it is."""
    for harness in here(site):
        found = program(harness, site)
        if found is None:
            yield f"{harness.TITLE} is not on your PATH (`{harness.PROGRAM}`). Hooks can be written all the same."
            continue
        version = harness.version(found, site.environ.get("PATH", ""))
        yield f"{' '.join(filter(None, (harness.TITLE, '.'.join(map(str, version or ())))))} at {found}"
