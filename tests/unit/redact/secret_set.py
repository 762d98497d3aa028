"""Made-up secrets in the forms that vendors publish, and lines as people and agents write them around one.

Written from what is known of the vendors' forms, before the expressions. The secrets themselves are
drawn from a seed, so that none is stored here. In a form, ``{36a}`` stands for 36 signs of the alphabet ``a``."""

import random
import re
import string
from collections.abc import Iterator
from typing import NamedTuple

_ALPHABETS = {
    "a": string.ascii_letters + string.digits,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "d": string.digits,
    "l": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "w": string.ascii_letters + string.digits + "_-",
    "b": string.ascii_letters + string.digits + "+/",
    "c": "abcdefghijklmnopqrstuvwxyz234567",
    "z": "023456789acdefghjklmnpqrstuvwxyz",
}
_HOLE = re.compile(r"\{(\d+)([a-zA-Z])\}|\{uuid\}")

# Secrets with a form of their own.
FORMS = {
    # Places for code
    "GitHub classic": "ghp_{36a}",
    "GitHub OAuth": "gho_{36a}",
    "GitHub server": "ghs_{36a}",
    "GitHub refresh": "ghr_{76a}",
    "GitHub fine-grained": "github_pat_{22a}_{59a}",
    "GitLab personal": "glpat-{20w}",
    "GitLab routable": "glpat-{27w}.01.{9l}",
    "GitLab runner": "glrt-{20w}",
    "GitLab registration": "GR1348941{20w}",
    "GitLab trigger": "glptt-{40h}",
    "GitLab deploy": "gldt-{20w}",
    "GitLab OAuth secret": "gloas-{64h}",
    "GitLab feed": "glft-{20w}",
    "GitLab CI job": "glcbt-64_{20w}",
    "Bitbucket app password": "ATBB{32a}{8H}",
    "Bitbucket access token": "ATCTT3xFfGN0{160w}={8H}",
    "Atlassian API token": "ATATT3xFfGF0{170w}={8H}",
    "Sourcegraph": "sgp_{16h}_{40h}",
    "Azure DevOps": "{75a}AZDO{5a}",
    # Clouds
    "AWS key id": "AKIA{16U}",
    "AWS session key id": "ASIA{16U}",
    "AWS session token": "IQoJb3JpZ2luX2Vj{240b}==",
    "AWS session token, older": "FwoGZXIvYXdzE{220b}=",
    "AWS Bedrock key": "ABSKQmVkcm9ja0FQSUtleS{100b}=",
    "Google API key": "AIza{35w}",
    "Google OAuth secret": "GOCSPX-{28w}",
    "Google access": "ya29.a0{120w}",
    "Google refresh": "1//0g{60w}",
    "Firebase cloud messaging": "AAAA{7w}:APA91b{134w}",
    "Azure AD client secret": "{3a}8Q~{34w}",
    "DigitalOcean personal": "dop_v1_{64h}",
    "DigitalOcean OAuth": "doo_v1_{64h}",
    "DigitalOcean refresh": "dor_v1_{64h}",
    "Alibaba": "LTAI5t{18a}",
    "Tencent": "AKID{32a}",
    "Yandex": "AQVN{36w}",
    "Heroku": "HRKU-AA{58w}",
    "Fly": "fo1_{43w}",
    "Fly macaroon": "fm2_lJPE{160b}",
    "Netlify": "nfp_{36a}",
    "Cloudflare user": "cfut_{40a}{8h}",
    "Cloudflare account": "cfat_{40a}{8h}",
    "Cloudflare origin CA": "v1.0-{24h}-{146h}",
    "Render": "rnd_{32a}",
    "Vercel blob": "vercel_blob_rw_{16a}_{30a}",
    "Scalingo": "tk-us-{48w}",
    "Linode-like OpenShift": "sha256~{43w}",
    # Builds and infrastructure
    "npm": "npm_{36a}",
    "PyPI": "pypi-AgEIcHlwaS5vcmc{150w}",
    "RubyGems": "rubygems_{48h}",
    "Cargo": "cio{32a}",
    "NuGet": "oy2{43l}",
    "Clojars": "CLOJARS_{60h}",
    "JFrog": "AKCp8{68a}",
    "JFrog reference": "cmVmdGtuOjAxOj{50a}",
    "Docker personal": "dckr_pat_{27w}",
    "Docker organization": "dckr_oat_{32w}",
    "CircleCI": "CCIPAT_{22a}_{40h}",
    "Buildkite": "bkua_{40h}",
    "Terraform Cloud": "{14a}.atlasv1.{67w}",
    "Pulumi": "pul-{40h}",
    "Vault service": "hvs.{90w}",
    "Vault batch": "hvb.{140w}",
    "Doppler personal": "dp.pt.{43a}",
    "Doppler service": "dp.st.prd.{43a}",
    "Infracost": "ico-{32a}",
    "Prefect": "pnu_{36l}",
    "Harness": "pat.{22a}.{24h}.{20a}",
    "Octopus": "API-{26U}",
    "SonarQube": "squ_{40h}",
    "SonarQube project": "sqp_{40h}",
    "Snyk": "snyk_uat.{8h}.{60w}",
    "Tailscale auth": "tskey-auth-{16a}CNTRL-{32a}",
    "Tailscale API": "tskey-api-{16a}CNTRL-{32a}",
    "1Password service": "ops_eyJ{240a}",
    "age": "AGE-SECRET-KEY-1{58U}",
    # Models
    "OpenAI": "sk-{48a}",
    "OpenAI project": "sk-proj-{74w}T3BlbkFJ{74w}",
    "Anthropic": "sk-ant-api03-{93w}AA",
    "Anthropic OAuth": "sk-ant-oat01-{93w}AA",
    "OpenRouter": "sk-or-v1-{64h}",
    "Groq": "gsk_{52a}",
    "xAI": "xai-{80a}",
    "Perplexity": "pplx-{48a}",
    "Replicate": "r8_{37a}",
    "Hugging Face": "hf_{34a}",
    "NVIDIA": "nvapi-{64w}",
    "Fireworks": "fw_{24a}",
    "Pinecone": "pcsk_{6a}_{62a}",
    "LangSmith": "lsv2_pt_{32h}_{10h}",
    "Tavily": "tvly-{32a}",
    "Firecrawl": "fc-{32h}",
    "E2B": "e2b_{40h}",
    "Cerebras": "csk-{48l}",
    "Jina": "jina_{60a}",
    "Together": "tgp_v1_{43w}",
    "ElevenLabs": "sk_{48h}",
    # Chats and mail
    "Slack bot": "xoxb-{12d}-{13d}-{24a}",
    "Slack user": "xoxp-{12d}-{12d}-{13d}-{32h}",
    "Slack app": "xapp-1-A{10U}-{13d}-{64h}",
    "Slack rotating": "xoxe.xoxb-1-{146a}",
    "Slack browser": "xoxc-{12d}-{12d}-{13d}-{64h}",
    "Slack webhook": "https://hooks.slack.com/services/T{8U}/B{8U}/{24a}",
    "Discord bot": "MT{24a}.G{5a}.{38w}",
    "Discord webhook": "https://discord.com/api/webhooks/{18d}/{68w}",
    "Teams webhook": "https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{32h}/{uuid}",
    "Zapier webhook": "https://hooks.zapier.com/hooks/catch/{7d}/{7l}/",
    "Telegram": "{10d}:AA{33w}",
    "Matrix": "syt_{16a}_{20a}_{6a}",
    "Mailchimp": "{32h}-us{2d}",
    "Mailgun": "key-{32h}",
    "Mailgun, newer": "{32h}-{8h}-{8h}",
    "SendGrid": "SG.{22w}.{43w}",
    "Brevo": "xkeysib-{64h}-{16a}",
    "Resend": "re_{8a}_{24a}",
    "Twilio key": "SK{32h}",
    "MessageBird-like Twitch": "oauth:{30l}",
    # Money and shops
    "Stripe live": "sk_live_{99a}",
    "Stripe restricted": "rk_live_{99a}",
    "Stripe test": "sk_test_{24a}",
    "Stripe webhook": "whsec_{32a}",
    "Square access": "EAAA{60w}",
    "Square secret": "sq0csp-{43w}",
    "Square older": "sq0atp-{22w}",
    "Shopify": "shpat_{32h}",
    "Shopify shared": "shpss_{32h}",
    "Razorpay": "rzp_live_{14a}",
    "PayPal Braintree": "access_token$production${16l}${32h}",
    "Flutterwave": "FLWSECK-{32h}-X",
    "Plaid": "access-production-{uuid}",
    "EasyPost": "EZAK{54a}",
    "Shippo": "shippo_live_{40h}",
    "Paddle": "pdl_live_apikey_{26l}_{22a}_{3a}",
    # Watching and data
    "New Relic user": "NRAK-{27U}",
    "New Relic ingest": "{36h}NRAL",
    "Grafana cloud": "glc_eyJ{120a}",
    "Grafana service": "glsa_{32a}_{8h}",
    "Sentry organization": "sntrys_eyJ{120a}_{43w}",
    "Sentry user": "sntryu_{64h}",
    "Dynatrace": "dt0c01.{24U}.{64U}",
    "PostHog": "phx_{43a}",
    "LaunchDarkly": "sdk-{uuid}",
    "LaunchDarkly API": "api-{uuid}",
    "Honeycomb": "hcaik_01{58l}",
    "PlanetScale password": "pscale_pw_{43w}",
    "PlanetScale token": "pscale_tkn_{43w}",
    "Databricks": "dapi{32h}",
    "Supabase access": "sbp_{40h}",
    "Supabase secret": "sb_secret_{22w}_{8w}",
    "Neon": "napi_{64l}",
    "Mapbox secret": "sk.eyJ{80a}.{22w}",
    "MaxMind": "{6a}_{29a}_mmk",
    "Confluent-like Aiven": "AVNS_{19w}",
    "JWT": "eyJhbGciOiJIUzI1NiJ9.eyJ{60a}.{43w}",
    # Work
    "Linear": "lin_api_{40a}",
    "Notion": "ntn_{46a}",
    "Notion, older": "secret_{43a}",
    "Airtable": "pat{14a}.{64h}",
    "Asana": "2/{16d}/{16d}:{32h}",
    "ClickUp": "pk_{8d}_{32U}",
    "HubSpot": "pat-na1-{uuid}",
    "Figma": "figd_{40w}",
    "Postman": "PMAK-{24h}-{34h}",
    "Contentful": "CFPAT-{43w}",
    "Okta": "00{40w}",
    "Typeform": "tfp_{44a}_{14a}",
    "Dropbox": "sl.B{135w}",
    "Facebook": "EAAM{160a}",
    "Readme": "rdme_xn8s9h{64l}",
    "Adafruit": "aio_{28a}",
    "Frame.io": "fio-u-{64w}",
    "Intercom": "dG9rOm{54a}=",
}
# How a secret with a form stands in a command.
COMMANDS = (
    "curl -sS https://api.example.com/v1/me -H 'Authorization: Bearer {}'",
    "tool login {}",
    "echo {} | tool auth --stdin",
    "sed -i 's|REPLACE_ME|{}|' deploy/values.yaml",
    "ACCESS={} npm run deploy",
    'python sync.py --credential "{}" --dry-run',
    "printf '%s' '{}' > ~/.config/tool/session",
    "tool config set session {}",
    "docker run --rm -e UPSTREAM={} acme/worker:2",
    "grep -rn '{}' . | head",
    "node -e 'connect(\"{}\")'",
    "git grep {} $(git rev-list --all)",
    'curl -X POST -d \'{{"auth":"{}"}}\' https://api.example.com',
)
# And in a sentence.
PROSE = (
    "please use {} for the staging run",
    "I get a 401 with {}, can you see why?",
    "it's {}",
    "Here you go: {}",
    "New credentials are ({}); rotate them next week.",
    "The request failed: invalid credentials {} for workspace acme",
    "found `{}` in config.yml, is that supposed to be there?",
    "- staging → {}\n- production → ask Bob",
    'set it to "{}" and try again',
    "Rotated. Old one was {}.",
)
# Commands in which the place alone gives a secret away; {} is the secret, whatever it looks like.
PLACES = (
    "export SHOP_API_KEY={}",
    "X_API_KEY={} ./run.sh",
    "MYSQL_ROOT_PASSWORD={} docker compose up -d",
    "PGPASSWORD={} psql -h db.example.com -U app -c 'select 1'",
    "REDISCLI_AUTH={} redis-cli -h cache ping",
    "SECRET_KEY_BASE={} bin/rails s",
    "JWT_SECRET={} npm start",
    "SMTP_PASS={} node mail.js",
    "AWS_SECRET_ACCESS_KEY={} aws s3 ls",
    "aws configure set aws_secret_access_key {}",
    "aws configure set aws_session_token {}",
    "deploy --token {} --region eu",
    "deploy --token={}",
    "deploy --api-key '{}'",
    "tool login --password {}",
    "tool --client-secret {} sync",
    "curl -u deploy:{} https://ci.example.com/api",
    "curl --user 'deploy:{}' https://ci.example.com/api",
    "curl --proxy-user bob:{} https://example.com",
    "curl -H 'X-Api-Key: {}' https://api.example.com",
    "curl -H 'X-Auth-Token: {}' https://api.example.com",
    'curl -H "DD-API-KEY: {}" https://api.datadoghq.com/api/v1/validate',
    "curl -H 'Ocp-Apim-Subscription-Key: {}' https://api.example.com",
    "curl -H 'Authorization: {}' https://api.example.com",
    "curl -H 'Authorization: SSWS {}' https://acme.okta.com/api/v1/users",
    "curl -H 'Proxy-Authorization: Basic {}' https://api.example.com",
    "curl -b 'session={}' https://example.com/admin",
    "curl -H 'Cookie: sid={}; theme=dark' https://example.com",
    "curl 'https://api.example.com/v1?api_key={}&q=1'",
    "curl 'https://example.com/file?access_token={}'",
    "curl -d 'grant_type=password&username=bob&password={}' https://auth.example.com/token",
    'curl -d \'{{"user":"bob","password":"{}"}}\' https://auth.example.com',
    "curl -d 'refresh_token={}' https://auth.example.com/token",
    "git clone https://bob:{}@git.example.com/shop.git",
    "git remote set-url origin https://oauth2:{}@git.example.com/shop.git",
    "git config --global http.extraheader 'Authorization: Basic {}'",
    "npm config set //registry.example.com/:_authToken {}",
    "echo '//registry.example.com/:_authToken={}' >> ~/.npmrc",
    "echo '//registry.example.com/:_password={}' >> ~/.npmrc",
    'echo \'{{"auths":{{"registry.example.com":{{"auth":"{}"}}}}}}\' > ~/.docker/config.json',
    "docker login -u bob -p {} registry.example.com",
    "helm repo add acme https://charts.example.com --username bob --password {}",
    "twine upload -u __token__ -p {} dist/*",
    "cargo login {}",
    "poetry config pypi-token.acme {}",
    "mysql -u root -p{} shop",
    "mysqldump -uroot -p'{}' shop > dump.sql",
    "mysql --user=root --password={} shop",
    "sshpass -p {} ssh root@10.0.0.4",
    "sshpass -p'{}' scp a root@10.0.0.4:",
    "redis-cli -h cache -a {} ping",
    "mongosh --host db -u admin -p {} --authenticationDatabase admin",
    "psql 'host=db user=app password={} dbname=shop'",
    "psql postgresql://app:{}@db.example.com:5432/shop",
    "redis-cli -u redis://default:{}@cache.example.com:6379",
    "sqlcmd -S db -U sa -P {} -Q 'select 1'",
    "cqlsh -u cassandra -p {} db.example.com",
    "clickhouse-client --host db --password {} --query 'select 1'",
    "ldapsearch -x -D cn=admin,dc=example,dc=com -w {} -b dc=example,dc=com",
    "smbclient //files/share -U bob%{}",
    "lftp -u bob,{} ftp.example.com",
    "wget --user=bob --http-password={} https://example.com/a.zip",
    "http -a bob:{} https://api.example.com",
    "htpasswd -bc .htpasswd bob {}",
    "openssl pkcs12 -in a.p12 -passin pass:{} -nodes",
    "gpg --batch --passphrase {} -c dump.sql",
    "keytool -list -keystore a.jks -storepass {}",
    "zip -P {} out.zip dump.sql",
    "7z x -p{} dump.7z",
    "ssh-keygen -t ed25519 -N '{}' -f key",
    "az login --service-principal -u app -p {} --tenant acme",
    "az storage blob list --account-name acme --account-key {}",
    "kubectl create secret generic db --from-literal=password={}",
    "kubectl config set-credentials bob --token={}",
    "gh secret set DEPLOY_KEY --body '{}'",
    "heroku config:set STRIPE_SECRET={} -a shop",
    "fly secrets set SESSION_SECRET={}",
    "vault kv put secret/shop db_password={}",
    "vault login {}",
    "aws secretsmanager put-secret-value --secret-id shop --secret-string {}",
    "aws ssm put-parameter --name /shop/db_password --type SecureString --value {}",
    "echo '{}' | sudo -S systemctl restart nginx",
    "echo 'bob:{}' | sudo chpasswd",
    "echo {} | docker login -u bob --password-stdin registry.example.com",
    "rabbitmqctl add_user bob {}",
    "nmcli dev wifi connect Office password '{}'",
    "xfreerdp /v:host /u:bob /p:{}",
    "security add-generic-password -a bob -s shop -w {}",
    "mysql -e \"CREATE USER 'app'@'%' IDENTIFIED BY '{}'\"",
    "psql -c \"ALTER USER app WITH PASSWORD '{}'\"",
    "printf 'machine git.example.com login bob password {}\\n' >> ~/.netrc",
    "echo 'db.example.com:5432:shop:app:{}' >> ~/.pgpass",
    "sed -i 's/^password=.*/password={}/' ~/.my.cnf",
    "export AZURE_CONN='DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={};EndpointSuffix=core.windows.net'",
    "dotnet run --ConnectionStrings:Db='Server=db;User Id=sa;Password={};'",
    "cat > .env <<'EOF'\nDB_HOST=db\nDB_PASSWORD={}\nEOF",
    "cat > k.yaml <<'EOF'\nusers:\n- name: bob\n  user:\n    token: {}\nEOF",
    "ansible-playbook site.yml -e 'ansible_become_pass={}'",
    "terraform apply -var 'db_password={}'",
    "docker build --build-arg NPM_TOKEN={} .",
    "snowsql -a acme -u bob --password {}",
    "cloudflared tunnel run --token {}",
    "wg set wg0 private-key <(echo PrivateKey = {})",
)
# Sentences in which the words around give a secret away.
TOLD = (
    "the password is {}",
    "password: {}",
    "key: {}",
    "API key: {}",
    "my token is {}, keep it to yourself",
    "pw: {}",
    "the api key is {}",
    "log in as bob with password {}",
    "use {} as the password",
    "secret = {}",
    "Credentials: bob / {}",
    "DB_PASSWORD={} in .env is wrong",
    "passphrase: {}",
    "the access key is `{}`",
    "here is the key: {}",
)
BY_PLACE = "by its place"
_BODIES = ("{24a}", "{32h}", "{40b}", "{12a}9!", "{16l}7", "{20a}=", "{36w}")


class Sample(NamedTuple):
    what: str
    secret: str
    text: str


def drawn(form: str, dice: random.Random) -> str:
    """A secret of a form, never the same twice."""

    def fill(hole: re.Match[str]) -> str:
        if hole[1] is None:
            return "-".join(_signs(dice, "h", n) for n in (8, 4, 4, 4, 12))
        return _signs(dice, hole[2], int(hole[1]))

    return _HOLE.sub(fill, form)


def _signs(dice: random.Random, alphabet: str, many: int) -> str:
    signs = "".join(dice.choice(_ALPHABETS[alphabet]) for _ in range(many))
    # Neither end may be lost in punctuation, and a random word holds a digit.
    return (
        f"{dice.choice('bcdefa')}{dice.choice('23456789')}{signs[2:-1]}{dice.choice('abcdef')}"
        if (many > 6 and alphabet in "awbl")
        else signs
    )


def commands(seed: int = 1) -> Iterator[Sample]:
    """Each form in two commands, and each place with a secret of no form."""
    dice = random.Random(seed)
    for name, form in FORMS.items():
        for template in dice.sample(COMMANDS, 2):
            secret = drawn(form, dice)
            yield Sample(name, secret, template.format(secret))
    for template in PLACES:
        secret = drawn(dice.choice(_BODIES), dice)
        yield Sample(BY_PLACE, secret, template.format(secret))


def prose(seed: int = 2) -> Iterator[Sample]:
    """Each form in three sentences."""
    dice = random.Random(seed)
    for name, form in FORMS.items():
        for template in dice.sample(PROSE, 3):
            secret = drawn(form, dice)
            yield Sample(name, secret, template.format(secret))


def told(seed: int = 3) -> Iterator[Sample]:
    """Secrets of no form, told by the words around them."""
    dice = random.Random(seed)
    for template in TOLD:
        for body in _BODIES:
            secret = drawn(body, dice)
            yield Sample("by its words", secret, template.format(secret))


def core(secret: str) -> str:
    """The part of a secret that must be gone: of an address its user, or what it ends in."""
    if "://" not in secret:
        return secret
    user = secret.partition("://")[2].partition("/")[0].rpartition("@")[0]
    return user or secret.rstrip("/").rpartition("/")[2][-12:]
