"""Commands that keep copies: what they throw away was the last way back."""

from assent.policy.commands._either import either
from assent.policy.commands.spec import Spec, each
from assent.policy.effects import care, danger

_LOSES = danger("delete", "It changes, restores over, or throws away backups.")
_MAKES = (
    r"(?:-r \S+ |--repo[= ]\S+ )*(?:backup|create|init|snapshot create)(?: .*)?",
    care("write", "It makes a backup."),
)
_LISTS = "It tells about backups. It changes nothing."

COMMANDS: dict[str, Spec] = {
    "restic": either(
        r"(?:-r \S+ |--repo[= ]\S+ |-v |-q |--json )*"
        r"(?:snapshots|ls|find|stats|diff|list|version|check|cat config|features)(?: (?!-o|--option)\S+)*",
        _LISTS,
        _LOSES,
        less=_MAKES,
    ),
    **each(
        "borg borg2",
        either(r"(?:list|info|diff|rlist|rinfo|repo-list|repo-info|--version)(?: .*)?", _LISTS, _LOSES, less=_MAKES),
    ),
    **each(
        "duplicity duply duplicati-cli",
        either(r"(?:collection-status|list-current-files|verify)(?: .*)?", _LISTS, _LOSES, less=_MAKES),
    ),
    **each(
        "kopia bupstash",
        either(
            r"(?:snapshot list|repository status|list|policy list|policy show)(?: .*)?", _LISTS, _LOSES, less=_MAKES
        ),
    ),
    **each(
        "rdiff-backup timeshift snapper bup zfs-auto-snapshot rsnapshot sanoid syncoid tarsnap",
        either(
            r"(?:list|--list|info|ls|status|-l|--list-increments|--list-archives|list-configs)(?: .*)?", _LISTS, _LOSES
        ),
    ),
}
