"""The file in which Assent keeps lasting permissions, and which of them hold for a session."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from assent.policy import world
from assent.protocol.lasting import Permission

LARGEST = 4 << 20


class _File(Struct):
    version: int = 1
    permissions: tuple[Permission, ...] = ()


def read(path: Path) -> tuple[Permission, ...]:
    """Raises ValueError where the file is there and cannot be read."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(LARGEST), type=_File).permissions
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def written(permissions: Iterable[Permission]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(_File(permissions=tuple(permissions))), indent=2) + b"\n"


def holding(
    permissions: Iterable[Permission], project: str, harness: str | None, now_ms: int
) -> tuple[Permission, ...]:
    """Those that hold in a project for this kind of agent: not over, and given for the repository that is there."""
    current = [each for each in permissions if each.until is None or each.until > now_ms]
    current = [each for each in current if harness is None or each.harness in ("", harness)]
    if not current:
        return ()
    real = world.real(project)
    near = [each for each in current if not each.project or real == each.project or real.startswith(f"{each.project}/")]
    repository = world.repository_id(real) if any(each.project for each in near) else ""
    return tuple(each for each in near if not each.project or each.repository == repository)
