"""Ways to hide one command in a shell line: how its words are spelled, what it is started by, where it stands."""

import base64
import random
import shlex
from collections.abc import Callable

# Not on any machine by default, known to the judge as gone for good.
PROGRAM = "srm"
Make = Callable[[str], str]
_MARKS = ";&|(){}\n\"'`$ \\#<"


def mark(number: int) -> str:
    """A path that does not exist, by which a run is known again."""
    return f"/srv/mark-{number}"


def line(number: int, rng: random.Random, depth: int = 3) -> str:
    """A line that runs the program on its mark, one way or another."""
    spelled = rng.choice(SPELLINGS)(mark(number))
    is_simple = "\n" not in spelled and ";" not in spelled and "{" not in spelled
    while is_simple and rng.random() < 0.4:
        spelled = rng.choice(PREFIXES).replace("@", spelled)
    for _ in range(rng.randint(0, depth)):
        spelled = rng.choice(CONTEXTS)(spelled)
    return spelled


def each() -> list[str]:
    """Every single way once, alone."""
    lines: list[str] = []
    for spelling in SPELLINGS:
        lines.append(spelling(mark(len(lines))))
    for prefix in PREFIXES:
        lines.append(prefix.replace("@", _plain(mark(len(lines)))))
    for context in CONTEXTS:
        lines.append(context(_plain(mark(len(lines)))))
    return lines


def damaged(line: str, rng: random.Random) -> str:
    """One or two marks of the grammar gone, doubled or changed. Words stay, so no other file is named."""
    for _ in range(rng.randint(1, 2)):
        places = [place for place, character in enumerate(line) if character in _MARKS]
        if places:
            at = rng.choice(places)
            line = line[:at] + rng.choice(("", rng.choice(_MARKS), line[at] + rng.choice(_MARKS))) + line[at + 1 :]
    return line


def _plain(mark: str) -> str:
    return f"{PROGRAM} -r {mark}"


def _hex(text: str) -> str:
    return "".join(f"\\x{ord(character):02x}" for character in text)


def _octal(text: str) -> str:
    return "".join(f"\\{ord(character):03o}" for character in text)


def _coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _ways(text: str) -> tuple[str, ...]:
    return tuple(way for line in text.strip().splitlines() for way in line.split("|"))


def _named(template: str) -> Make:
    return lambda mark: template.replace("MARK", mark)


# The program and its arguments, with MARK for what it is given.
SPELLINGS: tuple[Make, ...] = (
    _plain,
    *map(
        _named,
        (
            "'srm' \"-r\" MARK",
            "s'r'm -r MARK",
            's""rm -r MARK',
            "\\s\\r\\m -r MARK",
            "s\\\nrm -r MARK",
            "$'srm' $'-r' MARK",
            '$"srm" -r MARK',
            "${u-srm} -r MARK",
            "${u:-srm} -r MARK",
            "${u:=srm} -r MARK",
            "s${u}rm -r MARK",
            "s$@rm -r MARK",
            's"$@"rm -r MARK',
            "s$*rm -r MARK",
            "s$(true)rm -r MARK",
            "s``rm -r MARK",
            "$(echo srm) -r MARK",
            "`echo srm` -r MARK",
            "$(printf %s srm) -r MARK",
            "$(echo srm -r MARK)",
            "$(rev <<< mrs) -r MARK",
            "$(tr A-Z a-z <<< SRM) -r MARK",
            "$(echo mrs | rev) -r MARK",
            "$(cat <<< srm) -r MARK",
            "{srm,-r,MARK}",
            "s{r,}m -r MARK; srm -r MARK",
            "x=srm; $x -r MARK",
            "x=s y=rm; $x$y -r MARK",
            "x=srm; ${x} -r MARK",
            'x="srm -r MARK"; $x',
            'x="srm -r MARK"; eval "$x"',
            "x=SRM; ${x,,} -r MARK",
            "x=srmx; ${x%x} -r MARK",
            "x=asrm; ${x#a} -r MARK",
            "x=asrmb; ${x:1:3} -r MARK",
            "x=sXm; ${x/X/r} -r MARK",
            "x=s.r.m; ${x//./} -r MARK",
            "y=srm; x=y; ${!x} -r MARK",
            "declare x=srm; $x -r MARK",
            "declare -n r=x; x=srm; $r -r MARK",
            "export x=srm; bash -c '$x -r MARK'",
            "x=srm bash -c '$x -r MARK'",
            "printf -v x srm; $x -r MARK",
            "read x <<< srm; $x -r MARK",
            "read x y <<< 'srm -r'; $x $y MARK",
            "read -ra x <<< 'srm -r MARK'; ${x[@]}",
            "mapfile -t x <<< srm; ${x[0]} -r MARK",
            'x=(srm -r MARK); "${x[@]}"',
            "x=(srm -r); x+=(MARK); ${x[*]}",
            "x=(a srm); ${x[1]} -r MARK",
            'x=(a srm -r MARK); "${x[@]:1}"',
            "declare -A x=([k]=srm); ${x[k]} -r MARK",
            "x[3]=srm; ${x[3]} -r MARK",
            'set -- srm -r MARK; "$@"',
            "set -- a srm -r MARK; shift; $*",
            "set -- srm; $1 -r MARK",
            "IFS=,; x=srm,-r,MARK; $x",
            "for x in srm; do $x -r MARK; done",
            "for x in MARK; do srm -r $x; done",
            "for x in s; do ${x}rm -r MARK; done",
            "while read x; do $x -r MARK; done <<< srm",
            "while read x; do $x; done <<< 'srm -r MARK'",
            "echo srm | while read x; do $x -r MARK; done",
            "case srm in (*) x=srm;; esac; $x -r MARK",
            "f() { srm -r MARK; }; f",
            'f() { "$@"; }; f srm -r MARK',
            "f() { $1 -r MARK; }; f srm",
            "f() { echo srm; }; $(f) -r MARK",
            "function f { srm -r $1; }; f MARK",
            "f() ( srm -r MARK ); f",
            "f() { g; }; g() { srm -r MARK; }; f",
            "a-b() { srm -r MARK; }; a-b",
            "true() { srm -r MARK; }; true",
            "shopt -s expand_aliases\nalias x='srm -r'\nx MARK",
            "echo 'srm -r MARK' > s.sh; bash s.sh",
            "echo 'srm -r MARK' > s.sh; . ./s.sh",
            "echo 'srm -r MARK' > s.sh; chmod +x s.sh; ./s.sh",
            "printf 'srm -r MARK' | tee s.sh; sh s.sh",
            "cat > s.sh <<'E'\nsrm -r MARK\nE\nsh ./s.sh",
            "echo 'srm -r MARK' > s; mv s t; sh t",
            "echo srm > n; $(cat n) -r MARK",
            "echo srm > n; $(<n) -r MARK",
            "echo srm > n; read x < n; $x -r MARK",
            "ln -s $(command -v srm) ls; ./ls -r MARK",
            "cp $(type -P srm) ls; PATH=. ; ls -r MARK",
            "hash -p $(type -P srm) ls; ls -r MARK",
            "exec 3<<< 'srm -r MARK'; . /dev/fd/3",
            "x='$(srm -r MARK)'; eval echo \"$x\"",
            "x='$(srm -r MARK)'; echo ${x@P}",
            "x='a[$(srm -r MARK)]'; echo $((x))",
            "x='a[$(srm -r MARK)]'; echo ${!x}",
            "x='a[$(srm -r MARK)]'; ((x))",
            "x='a[$(srm -r MARK)]'; let x",
            "x='a[$(srm -r MARK)]'; [[ x -eq 0 ]]",
            "x='a[$(srm -r MARK)]'; for ((i=x;0;)); do :; done",
            "x='a[$(srm -r MARK)]'; y=12; echo ${y:x}",
            "x='a[$(srm -r MARK)]'; a[x]=1",
            "x='a[$(srm -r MARK)]'; declare -i n=x",
            "echo MARK | xargs srm -r",
            "echo MARK | xargs -I{} srm -r {}",
            "echo MARK | xargs -n1 srm -r",
            "printf '%s\\0' MARK | xargs -0 srm -r",
            "echo srm -r MARK | xargs env",
            "echo 'srm -r MARK' | xargs -I% sh -c %",
            "echo MARK > l; xargs -a l srm -r",
            "find . -maxdepth 0 -exec srm -r MARK \\;",
            "find . -maxdepth 0 -exec srm -r MARK {} +",
            "find . -maxdepth 0 -execdir srm -r MARK ';'",
            "find . -maxdepth 0 -exec sh -c 'srm -r MARK' \\;",
            'bash -c \'"$0" "$@"\' srm -r MARK',
            "bash -c '$1 -r MARK' x srm",
            "env -S 'srm -r MARK'",
            "env --split-string='srm -r MARK'",
            "env -Ssrm -r MARK",
            "command -p env PATH=$PATH srm -r MARK",
            "PATH=$PATH:. srm -r MARK",
            "IFS=x; y='srmx-rxMARK'; $y",
            "coproc srm -r MARK; wait",
            "printf 'srm -r MARK' | bash",
            "bash < <(echo srm -r MARK)",
            "bash <(echo srm -r MARK)",
            "source <(echo srm -r MARK)",
            "source /dev/stdin <<< 'srm -r MARK'",
            "srm -r MARK \\\n#comment",
            ": # comment\nsrm -r MARK",
            ": '\n'; srm -r MARK",
            "cat <<'E' >/dev/null\n$(\nE\nsrm -r MARK",
            "cat <<E >/dev/null; srm -r MARK\nx\nE",
            "cat <<A <<B; srm -r MARK\na\nA\nb\nB",
            "cat <<-E\n\tx\n\tE\nsrm -r MARK",
            ">f srm -r MARK",
            "<<<x srm -r MARK",
            "2>&1 srm -r MARK",
            "{fd}>f srm -r MARK",
            "x=1 y=2 srm -r MARK",
            "a[0]=1 srm -r MARK",
            "srm -r MARK &",
            "srm -r MARK & wait",
            "srm -r MARK|cat",
            ":|srm -r MARK",
            ":;srm -r MARK",
            ":&srm -r MARK",
            ":&&srm -r MARK",
            "false||srm -r MARK",
            "! srm -r MARK",
            "! ! srm -r MARK",
            "time srm -r MARK",
            "time -p srm -r MARK",
            "((1)) && srm -r MARK",
            "[[ a ]] && srm -r MARK",
            "((0))||srm -r MARK",
            "[[ -n a || b ]]&&srm -r MARK",
            "[[ a =~ ^(a|b)$ ]] && srm -r MARK",
            "[[ a == @(a|b) ]] && srm -r MARK",
            "case a in a|b) srm -r MARK;; esac",
            "case a in (a) :;;& *) srm -r MARK; esac",
            "case a in a) :;& b) srm -r MARK; esac",
            "case 'a)b' in 'a)b') srm -r MARK;; esac",
            "if :; then srm -r MARK; fi",
            "if false; then :; elif :; then srm -r MARK; fi",
            "if false; then :; else srm -r MARK; fi",
            "if srm -r MARK; then :; fi",
            "while srm -r MARK; do break; done",
            "until srm -r MARK; do break; done",
            "for ((i=0; i<1; i++)); do srm -r MARK; done",
            "for ((i=0; i<1; i++)) { srm -r MARK; }",
            "for i in 1; { srm -r MARK; }",
            "for i do :; done; for i in a\ndo srm -r MARK\ndone",
            "select i in a; do srm -r MARK; break; done <<< 1",
            "( (srm -r MARK) )",
            "((srm -r MARK) )",
            "{ { srm -r MARK; } }",
            "{ srm -r MARK\n}",
            "true <(srm -r MARK); wait",
            "echo x | tee >(srm -r MARK) >/dev/null; wait",
            "printf x > >(srm -r MARK)",
            "echo 'echo; srm -r MARK' | sh -s",
            "echo $'srm -r MARK' | dash",
            "trap 'srm -r MARK' EXIT",
            "trap 'srm -r MARK' DEBUG; :",
            "trap 'srm -r MARK' ERR; false",
            "trap 'srm -r MARK' USR1; kill -USR1 $$",
            "trap -- 'srm -r MARK' 0",
            "f() { :; }; trap 'srm -r MARK' RETURN; . /dev/null",
            "mapfile -C 'srm -r MARK; :' -c 1 x <<< y",
            "compgen -C 'srm -r MARK' x",
            "PS4='$(srm -r MARK)'; set -x; :",
            "command_not_found_handle() { srm -r MARK; }; nosuchprogram",
            "cd() { srm -r MARK; }; cd /",
            "printf -v 'a[$(srm -r MARK)]' x",
            "test -v 'a[$(srm -r MARK)]'",
            "[ -v 'a[$(srm -r MARK)]' ]",
            "[[ -v a[$(srm -r MARK)] ]]",
            "[[ 'a[$(srm -r MARK)]' -eq 0 ]]",
            "read 'a[$(srm -r MARK)]' <<< x",
            "a=(1); unset 'a[$(srm -r MARK)]'",
            "declare 'a[$(srm -r MARK)]=x'",
            "export x='a[$(srm -r MARK)]'; bash -c 'echo $((x))'",
            "let 'a[$(srm -r MARK)]=1'",
            "declare -i n='a[$(srm -r MARK)]'",
            "BASH_ENV=<(echo srm -r MARK) bash -c :",
            "bash --rcfile <(echo srm -r MARK) -ic :",
            "PROMPT_COMMAND='srm -r MARK' bash --norc -i <<< :",
            "awk 'BEGIN { system(\"srm -r MARK\") }'",
            "awk 'BEGIN { \"srm -r MARK\" | getline }'",
            "awk 'BEGIN { print | \"srm -r MARK\" }'",
            "echo x | sed '1e srm -r MARK'",
            "echo 'srm -r MARK' | sed 's/x*/&/e'",
            "echo 'srm -r MARK' | sed e",
            "perl -e 'system(\"srm -r MARK\")'",
            "perl -e '`srm -r MARK`'",
            "perl -e 'exec qw(srm -r MARK)'",
            "perl -e 'open(F, \"srm -r MARK|\")'",
            "tar cf /dev/null --checkpoint=1 --checkpoint-action=exec='srm -r MARK' .",
            "tar cf x.tar -I 'sh -c \"srm -r MARK\"' .",
            "echo x > f; tar cf - f | tar xf - --to-command='srm -r MARK'",
            "git init -q . 2>/dev/null; git -c alias.x='!srm -r MARK' x",
            "printf 'x:\\n\\tsrm -r MARK\\n' | make -f -",
            "make -f - <<< 'x:; srm -r MARK'",
            "make -f /dev/null --eval 'x:; srm -r MARK'",
            "flock l srm -r MARK",
            "flock l -c 'srm -r MARK'",
            "script -qc 'srm -r MARK' /dev/null",
            "script -q -c 'srm -r MARK' /dev/null",
            "sort --compress-program=srm /dev/null; srm -r MARK",
            "split --filter='srm -r MARK' <<< x",
        ),
    ),
    lambda mark: f"$'{_hex('srm')}' -r {mark}",
    lambda mark: f"$(printf '{_octal('srm')}') -r {mark}",
    lambda mark: f"echo {_coded(_plain(mark))} | base64 -d | sh",
    lambda mark: f"eval $(base64 -d <<< {_coded(_plain(mark))})",
    lambda mark: f'bash -c "$(echo {_coded(_plain(mark))} | base64 --decode)"',
    lambda mark: f"printf '{_octal(_plain(mark))}' | sh",
    lambda mark: f"echo -e '{_hex(_plain(mark))}' | bash",
)

# What stands before a command and starts it; ``@`` is the command.
PREFIXES = _ways("""
env @|env -i PATH=$PATH @|env A=b @|env -u A @|env -u A B=c @|env -- @|env -C . @|env env env @|FOO=bar @|FOO=bar env @
nice @|nice -n 5 @|nice -5 @|nice --adjustment=3 @|nohup @|nice nohup timeout 5 @|ionice -c 3 @|chrt -b 0 @|taskset 3 @
timeout 5 @|timeout -k 1 5 @|timeout -s KILL 5 @|timeout --foreground 5s @|setsid -w @|setsid --wait @|stdbuf -o0 @
stdbuf -oL -eL @|command @|command -- @|command -p env PATH=$PATH @|builtin command @|exec @|exec -a ls @
exec -c env PATH=$PATH @|eval @|eval -- @|command eval @|flock l @|flock -n l @|xargs @ < /dev/null|xargs -r @ <<< x
xargs -n 1 @ <<< x|find . -maxdepth 0 -exec @ \\;
""")


def _context(template: str) -> Make:
    return lambda script: template.replace("@", script)


def _quoted(template: str) -> Make:
    return lambda script: template.replace("@", shlex.quote(script))


def _double(template: str) -> Make:
    return lambda script: template.replace("@", f'"{_escaped(script, chr(92) + chr(34) + "$`")}"')


def _escaped(script: str, characters: str) -> str:
    return "".join(f"\\{each}" if each in characters else each for each in script)


# Where a script can stand.
CONTEXTS: tuple[Make, ...] = (
    *map(
        _context,
        (
            "( @\n)",
            "{ @\n}",
            ": $( @\n)",
            ': "$( @\n)"',
            "echo x$( @\n)y",
            ": ${u:-$( @\n)}",
            ': "${u:-$( @\n)}"',
            ': ${u:-"$( @\n)"}',
            ": ${HOME:+$( @\n)}",
            ": ${HOME/x/$( @\n)}",
            ": ${HOME#$( @\n)}",
            ": ${HOME:$( @\n)0}",
            ": $(( $( @\n) + 1 ))",
            ": $[ $( @\n) + 1 ]",
            "(( $( @\n) 1 ))",
            "x=$( @\n)",
            "x=$( @\n) true",
            "x+=$( @\n)",
            "x=( $( @\n) )",
            "x=([$( @\n)0]=1)",
            "x[$( @\n)0]=1",
            "declare x=$( @\n)",
            "export x=$( @\n)",
            "declare -A x=([$( @\n)k]=1)",
            ": ${x[$( @\n)0]}",
            "[[ -n $( @\n) ]]",
            "[[ x == $( @\n) ]]",
            "[[ x =~ $( @\n) ]]",
            "[ -n $( @\n) ]",
            "case $( @\n) in *) ;; esac",
            "case x in $( @\n)) ;; esac",
            "for x in $( @\n) y; do :; done",
            "for x in y; do @\ndone",
            "while :; do @\nbreak; done",
            "if :; then @\nfi",
            "if @\nthen :; fi",
            "case x in x) @\n;; esac",
            "f() { @\n}; f",
            "f() ( @\n); f",
            "function f { @\n}; f",
            ": > $( @\necho /dev/null)",
            ": 2> $( @\necho /dev/null)",
            ": < <( @\n); wait",
            "cat <( @\n) > /dev/null",
            ": > >( @\n); wait",
            ": <<< $( @\n)",
            ': <<< "$( @\n)"',
            "cat <<E\n$( @\n)\nE",
            "cat <<-E\n\t$( @\n)\n\tE",
            "cat <<E\n${u:-$( @\n)}\nE",
            "cat <<E\n$(( $( @\n) 1 ))\nE",
            "echo x | { @\n}",
            "{ @\n} | cat",
            "( @\n) &\nwait",
            "coproc { @\n}; wait",
            "coproc X { @\n}; wait",
            "time { @\n}",
            "! { @\n}",
            ":\n@\n:",
            "true && { @\n}",
            "false || { @\n}",
            "printf '%s' $( @\n) > /dev/null",
            "echo {a,$( @\n)}",
            "until :; do :; done; @",
        ),
    ),
    *map(
        _quoted,
        (
            "bash -c @",
            "sh -c @",
            "bash -ec @",
            "bash +x -c @",
            "bash -O extglob -c @",
            "bash -c -- @",
            "bash --norc -c @ x",
            "$BASH -c @",
            '"$BASH" -c @',
            "eval @",
            "eval eval @ 2>/dev/null || eval @",
            "bash <<< @",
            "bash -s <<< @",
            "bash /dev/stdin <<< @",
            "bash /dev/fd/3 3<<< @",
            "echo @ | bash",
            "printf '%s\\n' @ | bash -s",
            "printf %s @ | cat | bash",
            "echo @ | tee /dev/null | sh",
            "bash <(echo @)",
            "source <(printf '%s\\n' @)",
            ". /dev/stdin <<< @",
            "xargs -I{} bash -c @ <<< x",
            "find . -maxdepth 0 -exec bash -c @ \\;",
            "env bash -c @",
            "env -i PATH=$PATH bash -c @",
            "timeout 9 bash -c @",
            "nohup bash -c @",
            "exec bash -c @",
            "trap @ EXIT",
            'x=@; eval "$x"',
            'x=@; bash -c "$x"',
            'x=@; bash <<< "$x"',
            'x=@; echo "$x" | bash',
            'set -- @; eval "$1"',
            'f() { eval "$1"; }; f @',
            'x=(@); eval "${x[0]}"',
            'for x in @; do eval "$x"; done',
            "printf '%s\\n' @ > s.sh; bash s.sh",
            "echo @ > s.sh && . ./s.sh",
            'perl -e \'exec "bash", "-c", $ARGV[0]\' @',
            "flock l -c @",
            "script -qec @ /dev/null",
            "awk 'BEGIN { system(ARGV[1]) }' @",
            "env x=@ bash -c 'eval \"$x\"'",
            'read -r x <<< @; eval "$x"',
        ),
    ),
    *map(_double, ("bash -c @", "eval @", "echo @ | bash", "bash <<< @", "sh -c @ x y")),
    lambda script: f"bash <<'E'\n{script}\nE",
    lambda script: f"cat <<'E' | bash\n{script}\nE",
    lambda script: f"echo {_coded(script)} | base64 -d | bash",
    lambda script: f": `{_escaped(script, chr(92) + '`$')}\n`",
)
