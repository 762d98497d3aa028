"""Interpreters of many languages, their options and programs in the line."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "ruby -v",
        "perl -v",
        "php -v",
        "lua -v",
        "perl -pe 's/foo/bar/g' README.md",
        "perl -ne 'print if /foo/' README.md",
        "perl -ne 'print if /^\\d+\\s/' README.md",
        "ruby -e 'puts 1+1'",
        "php -r 'echo PHP_VERSION;'",
    ],
)
def test_interpreters_that_only_look_are_look(line: str) -> None:
    """What only looks and prints is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "perl -pi -e 's/a/b/' src/x.py",
        "perl -e 'print join \",\", map { $_*2 } 1..3'",
        "ruby script.rb",
    ],
)
def test_interpreters_with_more_than_a_look_are_left_to_the_client(line: str) -> None:
    """It is neither waved through nor stopped."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "perl -e 'system(\"rm -rf /\")'",
        'perl -e \'system "rm", "-rf", "/"\'',
        "perl -e 'exec \"rm -rf /\"'",
        "perl -e '`rm -rf /`'",
        "perl -e 'qx{rm -rf /}'",
        "perl -MFile::Path -e 'rmtree(\"/\")'",
        "perl -e 'unlink \"/etc/passwd\"'",
        "perl -e 'open(F,\">/etc/passwd\")'",
        "perl -e 'open(F,\"rm -rf /|\")'",
        "perl -pe 's/x/`rm -rf ~`/e' f",
        "perl -pe 's/x/system(\"rm -rf ~\")/e' f",
        "perl -pi -e 's/a/b/' ~/.bashrc",
        "perl -i.bak -ne 'print' /etc/hosts",
        "perl -pe '' ~/.ssh/id_rsa",
        "perl -e 'print $ENV{API_TOKEN}'",
        "ruby -e 'system(\"rm -rf /\")'",
        "ruby -e '%x(rm -rf /)'",
        "ruby -e 'puts `rm -rf /`'",
        "ruby -rfileutils -e 'FileUtils.rm_rf(\"/\")'",
        'ruby -e \'File.write("/etc/passwd","x")\'',
        "ruby -e 'IO.popen(\"rm -rf /\")'",
        "ruby -e 'puts File.read(\".env\")'",
        "php -r 'system(\"rm -rf /\");'",
        "php -r 'unlink(\"/etc/passwd\");'",
        "php -r 'eval($x);'",
        "php -d auto_prepend_file=/tmp/x.php -r 'echo 1;'",
        "lua -e 'os.execute(\"rm -rf /\")'",
        "osascript -e 'do shell script \"rm -rf /\"'",
        'osascript -e \'tell application "System Events" to keystroke "x"\'',
        "Rscript -e 'system(\"rm -rf /\")'",
        "Rscript -e 'unlink(\"/\", recursive=TRUE)'",
        "julia -e 'run(`rm -rf /`)'",
        "expect -c 'spawn rm -rf /'",
        "tclsh <<< 'exec rm -rf /'",
        "gdb -p 1",
        "gdb -batch -ex 'shell rm -rf /'",
        "perl -e 'eval \"x\"'",
        "perl -E 'say `rm -rf /`'",
        "perl -ne 'system($_)' list",
        "perl -Mevil -e 'system(\"rm -rf /\")'",
        'perl -e \'print <~/.ssh/*>; open F, "<", "/home/me/.ssh/id_rsa"; print <F>\'',
        'perl -e \'open(my $f, "-|", "rm -rf /")\'',
        'perl -we \'use IO::Socket; $s=IO::Socket::INET->new("x:1"); print $s "x"\'',
        "perl -pe 's/(.*)/qx(rm -rf ~)/e' x",
        "ruby -e 'Kernel.system \"rm -rf /\"'",
        "ruby -ne 'system $_' x",
        "ruby -pi -e 'gsub(/a/,\"b\")' ~/.bashrc",
        'ruby -e \'require "open3"; Open3.capture2("rm -rf /")\'',
        "ruby -e 'Dir.glob(\"/*\").each { |f| File.delete(f) }'",
        "ruby -e 'send(:system, \"rm -rf /\")'",
        "php -r 'echo `rm -rf /`;'",
        'php -r \'$f="sys"."tem"; $f("rm -rf /");\'',
        'php -r \'file_put_contents("/etc/passwd","");\'',
        "php -r 'echo file_get_contents(\"/home/me/.ssh/id_rsa\");'",
        "php -r 'echo getenv(\"API_KEY\");'",
        "lua -e 'io.popen(\"rm -rf /\")'",
        "lua -e 'os.remove(\"/etc/passwd\")'",
        "lua -e 'load(\"x\")()'",
        'osascript -e \'tell app "Finder" to delete folder "x"\'',
        "Rscript -e 'source(\"http://x\")'",
        "julia -e 'rm(\"/\", recursive=true)'",
        "groovy -e '\"rm -rf /\".execute()'",
        'elixir -e \'System.cmd("rm", ["-rf", "/"])\'',
        "guile -c '(system \"rm -rf /\")'",
        "racket -e '(system \"rm -rf /\")'",
        "sbcl --eval '(run-program \"rm\" nil)'",
        "ghc -e 'System.Process.callCommand \"rm -rf /\"'",
    ],
)
def test_interpreters_with_danger_inside_are_danger(line: str) -> None:
    """Danger is seen behind it, however it is spelled."""
    assert risk(line) == Risk.DANGER
