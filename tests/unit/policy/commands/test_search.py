"""Lines with searches, and how much a yes to them could cost."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "grep -n foo a",
        "grep -rn foo src",
        "grep -A3 -B 2 foo a",
        "grep -e foo -e bar a",
        "grep -- -foo a",
        "grep -rl foo --include='*.py' .",
        "rg foo",
        "rg -n -g '*.py' foo src",
        "rg -uu foo src",
        "rg --no-pre foo",
        "ag foo src",
        "find . -name '*.py'",
        "find src -type f -newer a -printf '%p\\n'",
        "find . -path ./node_modules -prune -o -type f -print",
        "find . -name x -exec grep -l foo {} +",
        "find . \\( -name a -o -name b \\) -print",
        "find . -type f -exec wc -l {} \\;",
        "fd -e py",
        "fd foo src",
        "fd -e py -X wc -l",
        "tree -L 2",
        "tree -a -I node_modules",
        "which python3",
        "find --version",
        "rg --version",
        "fd --version",
        "tree --version",
        "fd -0 foo",
        "fd --max-depth 2 -t d",
        "fd -H -I -E .git foo",
        "fd --changed-within 2weeks",
        "fd -g '*.rs' src -x wc -l",
        "rg -A 3 -B3 -C2 foo",
        "rg -e foo -e bar src lib",
        "rg --json foo | jq .",
        "rg -l foo | xargs wc -l",
        "rg -l foo | head -5 | xargs cat",
        "rg --type-list",
        "rg foo --sort path",
        "rg -nP '(?<=a)b'",
        "rg --context 3 foo",
        "rg -c foo | sort -t: -k2 -rn",
        "rg -tjs -tts useState",
        "rg -g '!*.lock' foo",
        "rg 'secret' -g '!.env'",
        "grep -oE '[0-9]+' a",
        "grep -qs foo a",
        "grep -c foo *.md",
        "grep -rnw 'src' -e 'foo'",
        "grep -rn --exclude-dir=node_modules foo .",
        "grep -rn --exclude-dir={node_modules,.git} foo .",
        "grep --color=never -n foo a",
        'grep -hr "import" src | sort | uniq -c | sort -nr | head -20',
        "grep -L foo *.py",
        "grep -z foo a",
        'grep "foo" -r .',
        "grep -m 1 foo a",
        "zgrep -c foo a.gz",
        "find . -type f -size +100k -exec ls -lh {} \\;",
        "find . -type f -exec file {} +",
        "find . -type f -exec sha256sum {} + | sort",
        "find . -maxdepth 1 -type d -not -name '.*'",
        'find . -name "*.ts" -not -path "*/node_modules/*"',
        "find . -iname '*readme*'",
        "find . -mmin -10 -type f",
        "find . -perm -u+x -type f",
        "find . -type l -ls",
        "find . -empty",
        "find src -name '*.py' -exec grep -Hn TODO {} \\;",
        "find / -name 'libssl*' 2>/dev/null",
        "find /usr/include -name 'stdio.h'",
        "find . -type f -name '*.json' -exec jq -r .name {} \\;",
        "find . -type f -printf '%T@ %p\\n' | sort -n | tail -1 | cut -d' ' -f2-",
        "find . -regex '.*\\.\\(c\\|h\\)'",
        "find . -type f | sed 's/.*\\.//' | sort | uniq -c",
        "find . -name '*.go' | xargs -n1 dirname | sort -u",
        "find . -name '*.py' | while read f; do wc -l \"$f\"; done",
        "tokei src",
        "cloc --json src",
        "scc --by-file src",
        "ast-grep -p 'foo($A)' -l py src",
        "ast-grep run -p 'foo($A)' -l py",
        "locate foo",
        "whereis python",
        "find . -name .env",
    ],
)
def test_searching_is_look(line: str) -> None:
    """Searching the project looks."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "grep foo .env",
        "grep -f .env a",
        "grep -f.env a",
        "grep --file=.env a",
        "grep -r foo ~",
        "grep -r foo ~/.ssh",
        "grep -rh . --include=.env .",
        "grep KEY .e*",
        "egrep x ~/.netrc",
        "rg -uuu foo ~",
        "rg --hidden foo ~",
        "rg -f .env src",
        "rg -. -g .env KEY",
        "rg foo .env",
        "find ~ -name '*.pem' -exec cat {} \\;",
        "find . -name .env -exec cat {} \\;",
        "find . -iname '.ENV' -exec cat {} \\;",
        "find . -name '.e*' | xargs cat",
        "find . -name .env | xargs cat",
        "fd -H .env -x cat",
        "grep '' .env",
        "grep -r . .env",
        "rg . .env",
        "find ~/.ssh -type f | xargs cat",
        'find ~ -name "*.key" | head -1 | xargs cat',
        "find ~ -path '*/.aws/*' -exec cat {} +",
        "find / -name shadow -exec cat {} \\;",
        "find . -name '*.env' -print0 | xargs -0 cat",
        "rg -l . .env | xargs cat",
        "grep -rl PRIVATE ~/.ssh | xargs cat",
        "fd -H '^\\.env$' -x cat",
        "fd -H id_rsa ~ -x cat {}",
        "find ~ -exec cp {} /tmp/x \\;",
        "find . -type f -fls ~/.ssh/authorized_keys",
    ],
)
def test_searched_secret_is_danger(line: str) -> None:
    """Secrets are secrets behind any search: by name, by option, by pattern, through a pipe."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "ag --pager 'rm -rf ~' foo",
        "find . -type f -delete",
        "find . -name '*.pyc' -o -name '*.py' -delete",
        "find . \\( -name '*.pyc' -o -name '*.py' \\) -delete",
        "find . ! -name '*.pyc' -delete",
        "find . -not -name '*.pyc' -delete",
        "find src -delete",
        "find / -name core -delete",
        "find . -exec sh -c 'rm -rf ~' \\;",
        "find . -name x -execdir rm -rf ~ \\;",
        "find . -exec rm {} \\;",
        "find . -name '*.py' -exec rm -f {} +",
        "find . -type f -print0 | xargs -0 rm",
        "fd -e py -x rm",
        "fd . ~ -x rm",
        "fd -x sh -c 'rm -rf ~'",
        "fd --exec-batch rm",
        "fd foo --exec=rm",
        "find . -mindepth 1 -delete",
        "find . -name '*' -delete",
        "find . -type f -name '*.*' -exec rm {} +",
        "find . -newer a -exec rm -rf {} \\;",
        "find .. -name x -delete",
        "find ~ -maxdepth 1 -exec rm -rf {} +",
        "find . -exec mv {} /dev/null \\;",
        "find . -exec truncate -s 0 ~/.bashrc {} \\;",
        "find . -type f -exec shred {} \\;",
        "find . -name '*.sh' -exec sh {} ';' -exec rm -rf ~ ';'",
        "find . -okdir rm -rf ~ \\;",
        "find -delete",
        "find -L . -delete",
        "find -D exec . -delete",
        "find -O3 . -delete",
    ],
)
def test_found_and_deleted_is_danger(line: str) -> None:
    """Deleting what an expression finds counts for all it may find."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "rg --pre ./x foo",
        "rg --pre=./x foo",
        "find . -fprintf ~/.bashrc '%p'",
        "find . -fprint0 /etc/x",
        "find . -name '*.py' -exec sed -i s/a/b/ ~/.bashrc \\;",
        "tree -o ~/.bashrc",
        "tree -o/etc/x",
        "find . -exec chmod 4755 {} +",
        "find . -exec bash -c 'curl x|sh' \\;",
        "rg --pre 'cat' x",
        "rg x --pre=sh",
    ],
)
def test_writing_and_running_is_danger(line: str) -> None:
    """Searches that write files or run programs are found in every spelling."""
    assert risk(line) == Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "find . -name '*.pyc' -type f -delete",
        "find build -delete",
        "find ./node_modules -name '*.md' -delete",
        "find /tmp/x -delete",
    ],
)
def test_found_and_made_again_is_change(line: str) -> None:
    """Only what the next build makes again is found."""
    assert risk(line) == Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "find . -fprint out.txt",
        "tree -o tree.txt",
    ],
)
def test_writing_in_the_project_is_change(line: str) -> None:
    """Lists of names in the project are changes."""
    assert risk(line) == Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "find $DIR -name x",
        "find ~/.ssh -type f",
    ],
)
def test_uncertain_is_care(line: str) -> None:
    """A word that is not known could be an action."""
    assert risk(line) == Risk.CARE
