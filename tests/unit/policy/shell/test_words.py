"""What words become: variables, arrays, arguments, substitutions, and what is left of them."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        'sh -c \'sh -c "sh -c \\"rm -rf /\\""\'',
        "eval eval eval rm -rf /",
        "eval \"eval 'rm -rf /'\"",
        "eval 'eval \"rm -rf /\"'",
        "bash -c \"eval 'rm -rf /'\"",
        'bash -c \'bash -c "bash -c \\"bash -c \\\\\\"rm -rf /\\\\\\"\\""\'',
        "a=rm b=-rf c=/; $a $b $c",
        "a=rm; b=a; ${!b} -rf /",
        "a='rm -rf'; eval \"$a /\"",
        "declare -n r=x; x=rm; $r -rf /",
        "${x:+rm} -rf /",
        "x=1; ${x:+rm} -rf /",
        "x=xrm; ${x#x} -rf /",
        "x=rmx; ${x%x} -rf /",
        "x=rXm; ${x/X/} -rf /",
        "x=RM; ${x,,} -rf /",
        "x=foormbar; ${x:3:2} -rf /",
        "if true; then x=rm; else x=ls; fi; $x -rf /",
        "x=ls; [ 1 ] && x=rm; $x -rf /",
        "case 1 in 1) x=rm;; esac; $x -rf /",
        "for x in ls rm; do $x -rf /; done",
        "while :; do x=rm; break; done; $x -rf /",
        "f() { x=rm; }; f; $x -rf /",
        "( x=rm; $x -rf / )",
        "x=rm && $x -rf /",
        "echo rm | { read c; $c -rf /; }",
        'read a b <<< "rm -rf"; $a $b /',
        "printf -v x %s rm; $x -rf /",
        "mapfile -t x <<< rm; ${x[0]} -rf /",
        "x[0]=rm; ${x[0]} -rf /",
        'declare -a x=(rm -rf /); "${x[@]}"',
        "declare -A m=([k]=rm); ${m[k]} -rf /",
        'x="$(rev <<< mr)"; $x -rf /',
        "x=$(tr a-z b-za <<< ql); $x -rf /",
        'x=$(printf "\\x72\\x6d"); $x -rf /',
        "$(which rm) -rf /",
        "$(command -v rm) -rf /",
        "$(type -p rm) -rf /",
        "`which rm` -rf /",
        '"$(which rm)" -rf /',
        "alias rm='rm -rf'; rm /",
        'function rm { command rm -rf "$@"; }; rm /',
        "ls() { rm -rf /; }; ls",
        "cd() { rm -rf /; }; cd x",
    ],
)
def test_words_that_become_danger_are_danger(line: str) -> None:
    """A command that is put together from parts is seen as what it becomes."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "x=ls; $x",
        'a=(ls -l); "${a[@]}"',
        "x=xls; ${x#x}",
        "x=LS; ${x,,}",
        'set -- a b; echo "$2" "$@"',
        "x=; $x ls",
        "echo ${x:-y}",
        "IFS=,; x=a,b; echo $x",
        'f() { ls "$1"; }; f src',
        'declare -A m=([k]=v); echo "${m[k]}"',
    ],
)
def test_words_that_become_harmless_are_look(line: str) -> None:
    """A command that is put together from parts and only looks is Look."""
    assert risk(line) == Risk.LOOK
