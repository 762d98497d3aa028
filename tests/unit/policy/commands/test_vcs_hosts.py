"""Code hosts: asking, saying something under the user's name, and taking away."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "gh pr list --state=merged --json number,title --jq '.[].title'",
        "gh pr view 7 --comments",
        "gh -R acme/shop pr checks 7 --watch",
        "gh issue view 7 -R acme/shop",
        "gh run view 99 --log-failed | tail -50",
        "gh repo view acme/shop",
        "gh search prs --author=@me",
        "gh secret list",
        "gh api repos/acme/shop/pulls/7/comments --paginate",
        "gh api -X GET search/issues -f q='repo:acme/shop'",
        "gh api graphql -f query='query { viewer { login } }'",
        "gh auth status",
        "gh pr create --help",
        "glab mr view 7",
        "glab ci status",
        "glab api projects/7/merge_requests",
        "tea pulls",
        "hub pr list",
        "hub log --oneline",
    ],
)
def test_hosts_that_are_asked_are_look(line: str) -> None:
    """The user is logged in; reading is what that is for."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "gh pr create -t x -b 'text'",
        'gh pr create -t x -b "$(cat /tmp/body.md)"',
        "gh pr merge 7 --squash --delete-branch",
        "gh issue comment 7 -F notes.md",
        "gh release create v1 dist/app.tgz",
        "gh workflow run test.yml",
        "gh run cancel 99",
        "gh pr checkout 7",
        "gh repo clone acme/shop",
        "gh extension install x/y",
        "gh api repos/acme/shop/issues -f title=x",
        "gh api graphql -f query='mutation { addComment(input: {}) { id } }'",
        "gh api graphql -F query=@q.graphql",
        "gh api $REQUEST",
        "gh whatever",
        "glab mr create -t x",
        "glab ci run",
        "tea pulls merge 7",
        "hub pull-request -m x",
    ],
)
def test_hosts_that_others_see_are_care(line: str) -> None:
    """What appears under the user's name is theirs to decide."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "gh repo delete acme/shop --yes",
        "gh repo archive acme/shop",
        "gh repo edit --visibility=public",
        "gh repo create x --public --source=. --push",
        "gh release delete v1",
        "gh secret set TOKEN -b x",
        "gh variable delete X",
        "gh ssh-key add key.pub",
        "gh auth token",
        "gh auth status --show-token",
        "gh auth refresh -s admin:org",
        "gh config set pager evil",
        "gh alias set x '!evil'",
        "gh pr merge 7 --admin",
        "gh codespace ssh",
        "gh gist create notes.txt",
        "gh workflow run deploy.yml -f env=production",
        "gh api -XDELETE repos/acme/shop",
        "gh api --method delete repos/acme/shop/hooks/1",
        "gh api -X PUT repos/acme/shop/branches/main/protection --input p.json",
        "gh api -X PATCH repos/acme/shop -F private=false",
        "gh api repos/acme/shop/x -H 'X-HTTP-Method-Override: DELETE' -f a=b",
        "gh api repos/acme/shop/issues -F body=@.env",
        "gh api graphql -f query='mutation { deleteRef(input: {}) { x } }'",
        "gh pr create -F .env",
        "gh release upload v1 .env",
        "gh repo clone x/y -- --upload-pack='rm -rf ~'",
        'gh pr comment 7 -b "$(env)"',
        'gh pr comment 7 -b "$DEPLOY_TOKEN"',
        "glab repo delete x",
        "glab variable get X",
        "glab variable list --output json",
        "glab api projects/7/variables",
        "glab api -X DELETE projects/7",
        "tea repo delete x",
        "hub delete x",
        "hub api -X DELETE repos/x/y",
        "hub push -f",
    ],
)
def test_hosts_that_lose_or_reveal_are_danger(line: str) -> None:
    """What is gone for others, opens a door or shows a key reaches a person."""
    assert risk(line) == Risk.DANGER
