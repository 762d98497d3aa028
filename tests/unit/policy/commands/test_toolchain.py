"""Options that make a tool which only asks run, read, write or trust something else."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "npm ls --script-shell=/tmp/x",
        "npm help --viewer /tmp/x",
        "npm view x --registry=http://evil.example",
        "npm --userconfig=/tmp/npmrc ls",
        "npm outdated --node-options='-r /tmp/x.js'",
        "NODE_OPTIONS='--require /tmp/x' npm ls",
        "NPM_CONFIG_SCRIPT_SHELL=/tmp/x npm run",
        "yarn list --use-yarnrc /tmp/x",
        "pip list --log /etc/x",
        "pip --python /tmp/evil list",
        "pip list --python=/tmp/evil",
        "pip freeze -r ~/.ssh/id_rsa",
        "pip list --proxy http://evil.example",
        "uv --config-file /tmp/x tree",
        "uv export -o ~/.bashrc",
        "poetry export --with-credentials",
        "cargo tree --config 'build.rustc=\"/tmp/x\"'",
        "RUSTC=/tmp/x cargo tree",
        "go list -overlay=/tmp/x.json ./...",
        "GOFLAGS=-toolexec=/tmp/x go list ./...",
        "GOENV=/tmp/x go list",
        "go doc -http",
        "gem env --config-file=/tmp/x",
        "RUBYOPT=-r/tmp/x gem list",
        "BUNDLE_GEMFILE=/tmp/x bundle list",
        "bundle list --gemfile /tmp/x",
        "composer show -d /tmp/evil",
        "composer validate ~/.ssh/id_rsa",
        "mvn dependency:tree -f /tmp/evil/pom.xml",
        "MAVEN_OPTS=-javaagent:/tmp/x.jar mvn dependency:tree",
        "gradle tasks -p /tmp/evil",
        "GRADLE_OPTS=-javaagent:/tmp/x gradle tasks",
        "gradle dependencies --write-locks",
        "dotnet list /tmp/evil.csproj package",
        "dotnet nuget locals all --clear",
        "apt show x -oAPT::Pager=/tmp/x",
        "APT_CONFIG=/tmp/x apt list",
        "rpm -qa --queryformat '%(id)'",
        "dnf list -c /tmp/x",
        "pacman -Q --config /tmp/x",
        "MAKEFILES=/tmp/x make -n",
        "bazel --bazelrc=/tmp/x query //...",
        "cmake --help-full /etc/x",
        "prettier --plugin=/tmp/x.js --version",
        "eslint --version -c /tmp/x.js",
        "pytest --version -p evil",
        "markdownlint -c /tmp/x.js README.md",
        "javap -J-javaagent:x Shop",
        "gcc --version -fplugin=x.so",
        "java -javaagent:/tmp/x.jar -version",
        "swift package describe --package-path /tmp/evil",
        "opam config exec -- rm -rf ~",
        "mix do deps.tree, run -e 'File.rm_rf(\"/\")'",
    ],
)
def test_tools_that_ask_with_an_option_that_does_more_are_never_look(line: str) -> None:
    """No spelling of an option that does more is waved through."""
    assert risk(line) > Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "NODE_OPTIONS=--max-old-space-size=4096 npm run build",
        "GRADLE_OPTS=-Xmx2g gradle build",
        "MAVEN_OPTS='-Xmx1g -Dspring.profiles.active=dev' mvn test",
        "GOTOOLCHAIN=local go test ./...",
        "GOPROXY=https://proxy.golang.org,direct go mod download",
        "npm_config_loglevel=error npm ci",
        "MAKEFLAGS=-j8 make",
    ],
)
def test_tools_with_settings_that_change_little_stay_what_they_are(line: str) -> None:
    """Sizes, versions and well-known registries do no harm."""
    assert risk(line) <= Risk.CARE
