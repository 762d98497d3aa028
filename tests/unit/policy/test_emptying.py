"""Files that lose all they hold, one or many."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from assent.policy.shell.walk import Walk
from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk
from tests.unit.policy.setting import SETTING

# Every way to empty the files that are named in place of {}.
WAYS = [
    "truncate -s 0 {}",
    "truncate --size=0 {}",
    "truncate -c -s 0 {}",
    "sed -i d {}",
    "sed -i '1,$d' {}",
    "sed -i -e '/.*/d' {}",
    "sed -i 's/.*//g' {}",
    "sed -ni '' {}",
    "gsed --in-place=.bak '/^/d' {}",
    "perl -i -ne '' {}",
    "perl -i -ne 'my $x = 1' {}",
    "perl -0777 -pi -e '$_ = q()' {}",
    "perl -pi -e '$_ = \"\"' {}",
    "ruby -i -ne '' {}",
    "gawk -i inplace 0 {}",
    "awk -i inplace 'NR<0' {}",
    "ex -sc '%d|x' {}",
    "ex -sc '1,$d' -c wq {}",
    "vim -es '+%d' '+wq' {}",
    "vim -c 'g/./d' -c wqa {}",
    "ed -s {} <<< $',d\\nw'",
    "fallocate -z -l 4096 {}",
]
# The same where the words may also make a new file.
FILLING = [
    "tee {} < /dev/null",
    ": | tee {}",
    "true | tee {}",
    "printf '' | tee {}",
    "cat /dev/null | sponge {}",
    "cp /dev/null {}",
    "install /dev/null {}",
]


@pytest.mark.parametrize("way", [*WAYS, *FILLING])
@pytest.mark.parametrize("files", ["src/*.py", "*.ts", "$(git ls-files)", "lib/**/*.go"])
def test_emptying_a_pattern_is_danger(way: str, files: str) -> None:
    """A pattern is many."""
    assert risk(way.format(files)) is Risk.DANGER


@pytest.mark.parametrize("way", WAYS)
def test_emptying_one_file_costs_what_deleting_it_costs(way: str) -> None:
    """Inside the project a person is asked by the client; outside of it here."""
    assert risk(way.format("src/app.py")) is risk("rm src/app.py") is Risk.CARE
    assert risk(way.format("~/notes.txt")) is risk("rm ~/notes.txt") is Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "for f in src/*.py; do : > $f; done",
        'for f in src/*.py; do > "$f"; done',
        'for f in $(git ls-files); do echo -n > "$f"; done',
        'for f in docs/*.md; do cat /dev/null > "$f"; done',
        'for f in docs/*.md; do echo "# gone" > "$f"; done',
        'for f in src/*.js; do cp blank.js "$f"; done',
        'git ls-files | while read f; do : > "$f"; done',
        "find . -name '*.rs' -exec truncate -s 0 {} +",
        "find . -name '*.rs' -exec cp /dev/null {} \\;",
        "find src -type f -exec sh -c ': > \"$1\"' _ {} \\;",
        "find . -name '*.kt' | xargs truncate -s 0",
        "git ls-files -z | xargs -0 sed -i d",
        "git ls-files | xargs -I{} sh -c '> {}'",
        "fd -e java -x truncate -s 0",
        "git ls-files | parallel truncate -s 0",
        "xargs -a files.txt truncate -s 0",
        "tee src/*.py <<< 'same for all'",
        "sed -i '2,$d' src/*.py",
        "sed -i '1!d' src/*.py",
        "sed -i 1q src/*.py",
        "rm src/*.py",
        "rm -f *.go",
        "mv * /tmp/old/",
        "mv ~/projects /tmp/gone",
        "mv ~/Documents/thesis.tex /var/tmp/",
    ],
)
def test_losing_many_files_is_danger(line: str) -> None:
    """However the names are found."""
    assert risk(line) is Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "sed -i 's/a/b/' src/*.py",
        "sed -i 1d src/*.py",
        "sed -i '/^$/d' src/*.py",
        "sed -i '10,$d' src/app.py",
        "sed -ni '/keep/p' a.txt",
        "sed -i 's/.*foo.*/bar/' a.txt",
        "sed -i '/x/c\\y' a.txt",
        "sed -n '1,$p' src/app.py",
        "sed d src/app.py",
        "perl -pi -e 's/a/b/g' src/*.py",
        "perl -i -ne 'print unless /x/' src/*.py",
        "awk -i inplace '{ print $1 }' a.txt",
        "awk -i inplace 'NR > 1' a.txt",
        "for f in src/*.py; do sort $f > $f.sorted; done",
        'for f in docs/*.md; do echo end >> "$f"; done',
        "for d in packages/*; do cp LICENSE $d; done",
        "truncate -s 64M disk.img",
        "truncate -s +1K a.bin",
        "truncate -s 0 logs/server.log",
        "truncate -s 0 dist/bundle.js",
        ": > /tmp/run.log",
        "find . -name '*.log' -exec truncate -s 0 {} +",
        "echo x | tee a.txt b.txt",
        "rm -f *.pyc",
        "touch src/*.py",
        "mv src/a.py /tmp/",
    ],
)
def test_editing_is_no_emptying(line: str) -> None:
    """What is left of the files, or what a build makes again, is no loss."""
    assert risk(line) <= Risk.CHANGE


@pytest.mark.parametrize("line", ["rm out_*.txt", "rm -f *.bak *.orig", "rm *.png", "rm src/a.py src/b.py"])
def test_deleting_chosen_files_and_leftovers_is_care(line: str) -> None:
    """Nothing of a kind goes as a whole."""
    assert risk(line) is Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        ": > {}",
        "> {}",
        "echo > {}",
        "echo -n > {}",
        "printf '' >| {}",
        "cat /dev/null > {}",
        "cp /dev/null {}",
        ": | tee {}",
    ],
)
def test_a_file_that_holds_something_is_emptied_a_new_one_is_made(line: str, tmp_path: Path) -> None:
    """The same words do both."""
    project = tmp_path / "home" / "shop"
    project.mkdir(parents=True)
    (project / "full.py").write_text("x = 1\n")
    (project / "empty.py").touch()
    setting = structs.replace(SETTING, project=str(project), cwd=str(project), home=str(tmp_path / "home"))

    def cost(name: str) -> Risk:
        acts = Walk(setting).line(line.format(name))
        return max(effect.risk for act in acts for each in act.all() for effect in each.effects)

    assert cost("full.py") is Risk.CARE
    assert cost("empty.py") is Risk.CHANGE
    assert cost("new.py") is Risk.CHANGE


@pytest.mark.parametrize("mode", ["000", "0", "a-r", "u-rwx", "a=", "u=", "-r", "ugo-r", "111", "u-r,go-w"])
def test_locking_the_owner_out_is_danger_below_a_folder(mode: str) -> None:
    """Of one file it is Care."""
    for folder in (".", "src"):
        assert risk(f"chmod -R {mode} {folder}") is Risk.DANGER
    assert risk(f"chmod {mode} src/*.py") is Risk.DANGER
    assert risk(f"chmod {mode} src/app.py") is Risk.CARE


@pytest.mark.parametrize("mode", ["755", "u+rw", "a+r", "go-rwx", "u=rwX,go=rX", "-w", "+x", "600", "go-r"])
def test_other_modes_are_no_loss(mode: str) -> None:
    """The owner still reads."""
    assert risk(f"chmod -R {mode} src") < Risk.CARE


@given(st.from_regex(r"[a-z]{1,8}(/[a-z]{1,8}){0,2}/\*\.[a-z]{1,4}", fullmatch=True), st.sampled_from(WAYS))
def test_emptying_is_never_less_than_deleting(pattern: str, way: str) -> None:
    """Whatever the files are called."""
    assert risk(way.format(pattern)) >= min(risk(f"rm {pattern}"), Risk.DANGER)
