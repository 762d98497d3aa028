"""Lines with smaller clouds and services, and how much a yes to them could cost."""

import pytest

from assent.protocol.risk import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "heroku releases",
        "vercel ls",
        "doctl kubernetes cluster list",
        "hcloud server list",
        "linode-cli linodes list",
    ],
)
def test_clouds_others_only_asks_is_look(line: str) -> None:
    """What only asks, or only tells about itself, looks."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "vercel",
        "vercel deploy",
        "railway up",
        "somecloud server list",
    ],
)
def test_clouds_others_may_go_wrong_is_care(line: str) -> None:
    """What connects, runs, brings in or changes something is Care."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "heroku pg:reset",
        "heroku config:get SECRET",
        "fly apps destroy x",
        "vercel env pull .env",
        "vercel rm x --yes",
        "netlify env:list",
        "wrangler secret put X",
        "wrangler r2 bucket delete x",
        "firebase firestore:delete --all-collections",
        "supabase db reset",
        "doctl compute droplet delete 1",
        "stripe customers delete x",
        "vercel --prod",
        "netlify deploy --prod",
        "fly ssh console -C 'rm -rf /data'",
        "heroku run 'rm -rf /app'",
        "wrangler d1 execute db --command 'drop table users'",
        "hcloud server delete web",
        "somecloud server delete web",
    ],
)
def test_clouds_others_takes_away_or_opens_is_danger(line: str) -> None:
    """What takes away, lets in, shows secrets or touches production is Danger."""
    assert risk(line) == Risk.DANGER
