"""From a line to what it would do, in the spellings people and tricksters use."""

import pytest

from assent.protocol.risk import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        'a=(1 2 3); echo "${a[@]}" ${#a[@]}',
        'for f in *.py; do wc -l "$f"; done',
        'x=$(ls); echo "$x"',
        "f() { echo hi; }; f",
        "set -e; ls",
        "command -v python3",
        "type bash",
        "test -f x && echo yes",
    ],
)
def test_lines_that_only_look_are_look(line: str) -> None:
    """What only looks and prints is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "./scripts/build.sh",
    ],
)
def test_lines_with_more_than_a_look_are_left_to_the_client(line: str) -> None:
    """It is neither waved through nor stopped."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "tee x.sh <<< 'rm -rf /'; sh x.sh",
        "printf 'import os\\nos.system(\"rm -rf /\")' > x.py && python3 x.py",
        "X=rm; $X -rf /",
        "X=r; Y=m; $X$Y -rf /",
        "${X:-rm} -rf /",
        "X='rm -rf /'; $X",
        "X='rm -rf /'; eval $X",
        "X='rm -rf /'; eval \"$X\"",
        "X='rm -rf /'; bash -c \"$X\"",
        'a=(rm -rf); a+=(/); "${a[@]}"',
        'a=(x rm -rf /); "${a[@]:1}"',
        "a=(rm -rf /); ${a[0]} ${a[1]} ${a[2]}",
        'f() { rm -rf "$1"; }; f /',
        'f() { "$@"; }; f rm -rf /',
        'f() { eval "$*"; }; f rm -rf /',
        'x() { shift; "$@"; }; x a rm -rf /',
        "r''m -rf /",
        "r\\m -rf /",
        '"rm" -rf /',
        "$'\\x72\\x6d' -rf /",
        "$'rm' -rf /",
        "\\rm -rf /",
        "r${EMPTY-}m -rf /",
        "{rm,-rf,/}",
        "$(echo rm) -rf /",
        "`echo rm` -rf /",
        "$(printf '\\162\\155') -rf /",
        "$(echo mr | rev) -rf /",
        "command rm -rf /",
        "command -p rm -rf /",
        "builtin eval 'rm -rf /'",
        "exec rm -rf /",
        "exec -a x rm -rf /",
        "trap 'rm -rf /' EXIT",
        "trap 'rm -rf /' DEBUG; ls",
        "PROMPT_COMMAND='rm -rf /'",
        "alias ls='rm -rf /'; ls",
        "coproc rm -rf /",
        "echo $(rm -rf /)",
        'echo "${x:=$(rm -rf /)}"',
        "echo $((a[$(rm -rf /)]))",
        "[[ -n $(rm -rf /) ]]",
        "cat < <(rm -rf /)",
        "ls > >(rm -rf /)",
        "while rm -rf /; do :; done",
        "case $(rm -rf /) in x) ;; esac",
        "! rm -rf /",
        "for c in rm; do $c -rf /; done",
        "set -- rm -rf /; $1 $2 $3",
        'set rm -rf /; "$@"',
        "IFS=:; x=rm:-rf:/; $x",
        "read -r c <<< 'rm -rf /'; $c",
        "printf -v c 'rm'; $c -rf /",
        "c=$(cat <<< rm); $c -rf /",
        "declare c=rm; $c -rf /",
        "local c=rm; $c -rf /",
        "export c=rm; $c -rf /",
        "c=rm eval '$c -rf /'",
        "c=rm bash -c '$c -rf /'",
        "enable -f /tmp/x.so x",
        "hash -p /tmp/x ls",
        "mapfile -C 'rm -rf / #' < x",
        "exec 3<>/dev/tcp/1.2.3.4/80",
        "compgen -C 'rm -rf /'",
        "complete -C 'rm -rf /' x",
        "bind -x '\"a\":rm -rf /'",
        "$SHELL -c 'rm -rf /'",
        "\"$SHELL\" -c 'rm -rf /'",
        "${SHELL} -c 'rm -rf /'",
        "$0 -c 'rm -rf /'",
        "$BASH -c 'rm -rf /'",
        "/bin/?h -c 'rm -rf /'",
        "/???/r? -rf /",
        "~/x; rm -rf /",
        "r$()m -rf /",
        "r``m -rf /",
        "r$1m -rf /",
        "r${z}m -rf /",
        "/bin/r'm' -rf /",
        "$'\\u0072m' -rf /",
        '$"rm" -rf /',
        "rm $'-rf' /",
        "rm -r -f -- /",
        "rm --recursive --force /",
        "rm --rec --fo /",
    ],
)
def test_lines_with_danger_inside_are_danger(line: str) -> None:
    """Danger is seen behind it, however it is spelled."""
    assert risk(line) == Risk.DANGER
