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
        "flyctl version",
        "heroku --version",
        "vercel --version",
        "wrangler --version",
        "firebase --version",
        "supabase --version",
        "netlify --version",
        "doctl version",
        "heroku help",
        "fly --help",
        "vercel --help",
        "fly status",
        "fly logs",
        "fly apps list",
        "fly releases",
        "fly machine list",
        "fly volumes list",
        "fly regions list",
        "fly config show",
        "heroku ps",
        "heroku addons",
        "heroku pg:info",
        "heroku apps:info",
        "heroku domains",
        "vercel inspect url",
        "vercel logs url",
        "vercel whoami",
        "vercel domains ls",
        "vercel env ls",
        "netlify status",
        "netlify sites:list",
        "wrangler whoami",
        "wrangler tail",
        "wrangler deployments list",
        "wrangler kv namespace list",
        "wrangler r2 bucket list",
        "firebase projects:list",
        "firebase use",
        "supabase projects list",
        "railway status",
        "railway logs",
        "doctl apps list",
        "doctl account get",
        "hcloud server describe web",
        "scw instance server list",
        "oci compute instance list",
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
        "heroku apps:destroy x --confirm x",
        "heroku pg:psql -c 'drop table users'",
        "heroku config:set A=b",
        "heroku addons:destroy x",
        "heroku ps:kill web.1",
        "heroku access:add x@y.z",
        "fly destroy x",
        "fly volumes destroy v",
        "fly secrets set A=b",
        "fly postgres detach x || fly apps destroy y",
        "vercel remove x",
        "vercel domains rm x",
        "vercel env rm X",
        "netlify sites:delete x",
        "netlify env:unset X",
        "wrangler kv namespace delete --namespace-id x",
        "wrangler delete",
        "wrangler d1 delete x",
        "firebase hosting:disable",
        "firebase database:remove /",
        "firebase functions:delete f",
        "supabase projects delete x",
        "supabase branches delete x",
        "railway down -y",
        "doctl kubernetes cluster delete c -f",
        "hcloud volume delete x",
        "linode-cli linodes delete 1",
        "scw instance server delete x",
        "oci compute instance terminate --instance-id x",
        "ibmcloud is instance-delete x",
    ],
)
def test_clouds_others_takes_away_or_opens_is_danger(line: str) -> None:
    """What takes away, lets in, shows secrets or touches production is Danger."""
    assert risk(line) == Risk.DANGER
