"""A second set, written when the expressions were finished: other tools, other sentences, some other vendors.

What it found missing at first is told in docs/redaction.md."""

import random
from collections.abc import Iterator

from tests.unit.redact.secret_set import BY_PLACE, FORMS, Sample, drawn

# Forms that the first set does not have.
MORE = {
    "OpenAI service account": "sk-svcacct-{60w}T3BlbkFJ{60w}",
    "Anthropic admin": "sk-ant-admin01-{93w}AA",
    "DeepSeek": "sk-{32h}",
    "Langfuse": "sk-lf-{uuid}",
    "GitLab agent": "glagent-{50w}",
    "GitLab incoming mail": "glimt-{25w}",
    "GitHub user to server": "ghu_{36a}",
    "Slack workflow webhook": "https://hooks.slack.com/triggers/T{8U}/{13d}/{32h}",
    "Discord webhook, versioned": "https://discordapp.com/api/v10/webhooks/{19d}/{68w}",
    "Stripe test restricted": "rk_test_{24a}",
    "Shopify custom app": "shpca_{32h}",
    "Tailscale client": "tskey-client-{17a}CNTRL-{32a}",
    "Doppler CLI": "dp.ct.{43a}",
    "Docker organization": "dckr_oat_{27w}",
    "Netlify CLI": "nfc_{36a}",
    "Grafana stack": "glsa_{32a}_{8h}",
    "Figma OAuth": "figu_{40w}",
    "Vault recovery": "hvr.{90w}",
    "Buildkite agent": "bkat_{40h}",
    "Yandex OAuth": "y0_AgAAAA{50w}",
    "Polar": "polar_oat_{43a}",
    "Apify": "apify_api_{36a}",
    "Langsmith service": "lsv2_sk_{32h}_{10h}",
    "Cloudflare global": "cfk_{40a}{8h}",
    "Brevo mail": "xsmtpsib-{64h}-{16a}",
    "Plaid sandbox": "access-sandbox-{uuid}",
    "New Relic browser": "NRJS-{19h}",
    "Honeycomb ingest": "hcbik_01{58l}",
    "Sentry DSN": "https://{32h}@o450.ingest.sentry.io/4505",
}
COMMANDS = (
    "http GET https://api.example.org/me Authorization:'Bearer {}'",
    "wget -qO- --header='X-Access: {}' https://api.example.org/export",
    "kubectl -n prod set env deploy/api UPSTREAM={}",
    "tee -a .envrc <<< 'export UPSTREAM={}'",
    "ssh deploy@host 'UPSTREAM={} systemctl --user restart api'",
    "perl -pi -e 's/CHANGEME/{}/' app.ini",
    'curl https://api.example.org/v2/items -H "x-thing: {}" --compressed',
    "jq '.upstream = \"{}\"' conf.json > conf.new",
    "./bin/sync '{}' --all",
    "powershell -Command \"$env:UPSTREAM='{}'; ./run.ps1\"",
    "git commit -m 'remove {} from fixtures'",
    "rg -n --fixed-strings {} -g '!node_modules'",
)
PROSE = (
    "Could you put {} into the vault for me?",
    "The bot keeps answering with unauthorised when I send {}.",
    "For the record, we revoked {} this morning",
    "> {}\nis what the dashboard shows now",
    "curl said: HTTP 403 (sent {})",
    "Use this one instead → {} ← it has more scopes",
    "Our old value '{}' leaked through the logs, sorry!",
    "value={}, region=eu, retries=3",
    "| staging | {} |",
    "Error: request with {} was rejected by upstream",
)
PLACES = (
    "STRIPE_WEBHOOK_SECRET={} stripe listen",
    "NEXTAUTH_SECRET='{}' pnpm build",
    'export OPENAI_API_KEY="{}"; python chat.py',
    "set -x DATADOG_API_KEY {}",
    "$env:AZURE_CLIENT_SECRET = '{}'",
    "setx DB_PASSWORD {}",
    "docker run -d -e POSTGRES_PASSWORD={} postgres:16",
    "docker compose run -e ADMIN_PASS={} web",
    "kubectl create secret docker-registry r --docker-username=bob --docker-password={}",
    "helm upgrade shop ./chart --set auth.password={}",
    'terraform plan -var="api_token={}"',
    "pulumi config set --secret dbPassword {}",
    "ansible all -m ping -e ansible_password={}",
    "curl --oauth2-bearer {} https://api.example.org",
    "curl -H 'PRIVATE-TOKEN: {}' https://gitlab.example.org/api/v4/user",
    'curl -H "Circle-Token: {}" https://circleci.example.org/api/v2/me',
    "curl -H 'X-Vault-Token: {}' https://vault.example.org/v1/secret/a",
    "curl -H 'apikey: {}' https://x.example.org/rest/v1/a",
    "curl -H 'xi-api-key: {}' https://api.example.org/v1/voices",
    "curl --cookie 'PHPSESSID={}' https://example.org",
    "curl -F password={} https://example.org/login",
    "curl -X POST https://example.org/oauth -d client_id=shop -d client_secret={}",
    "curl 'https://maps.example.org/geo?q=x&key={}'",
    "curl 'https://acme.blob.example.net/c/f?sv=2022&sp=r&sig={}'",
    "wget --password={} ftp://bob@files.example.org/a",
    "aws --profile x configure set aws_secret_access_key {}",
    "gcloud sql users set-password app --instance=db --password={}",
    "az sql server create -n s -u sa -p {} --admin-password {}",
    "mysqladmin -u root -p{} ping",
    "mariadb --password='{}' -e 'show tables'",
    "mongodump --uri 'mongodb+srv://app:{}@cluster.example.org/shop'",
    "pg_dump 'postgres://app:{}@db:5432/shop' -f out.sql",
    "redis-cli --pass {} info",
    "amqp-publish -u amqp://svc:{}@mq.example.org//",
    "npm publish --//registry.example.org/:_authToken={}",
    'echo "_auth={}" >> .npmrc',
    "pip install --index-url https://ci:{}@pypi.example.org/simple shop",
    "bundle config set rubygems.example.org bob:{}",
    "git -c http.extraHeader='Authorization: token {}' fetch",
    "git push https://bob:{}@git.example.org/a.git HEAD",
    'sshpass -p "{}" rsync -a x bob@h:',
    "gpg --pinentry-mode loopback --passphrase='{}' -d a.gpg",
    "openssl enc -aes-256-cbc -pass pass:{} -in a -out b",
    '7z a -p"{}" out.7z dir',
    "unzip -P {} a.zip",
    "jarsigner -keystore k.jks -storepass {} -keypass {} a.jar alias",
    "wandb login {}",
    "ngrok config add-authtoken {}",
    "gh secret set TOKEN -b {}",
    "flyctl secrets set DATABASE_PASSWORD={} -a shop",
    "heroku config:set SECRET_KEY={}",
    "vercel env add API_SECRET production <<< {}",
    "echo {} | wrangler secret put API_TOKEN",
    "printf '%s' '{}' | gh auth login --with-token",
    "vault write auth/userpass/login/bob password={}",
    "op item edit db password={}",
    "rabbitmqctl change_password bob '{}'",
    "psql -c \"CREATE ROLE app LOGIN PASSWORD '{}'\"",
    "mysql -e \"SET PASSWORD FOR 'a'@'%' = '{}'\"",
    "sqlcmd -S tcp:db -U sa -P '{}'",
    "ldapwhoami -D cn=admin -w '{}'",
    "printf 'machine h login bob password {}' > ~/.netrc",
    "python manage.py createsuperuser --password {}",
    "php artisan tinker --execute=\"config(['app.key' => '{}'])\"",
    "cat >> values.yaml <<EOF\nauth:\n  password: {}\nEOF",
    "cat > app.properties <<EOF\nspring.datasource.password={}\nEOF",
    'cat > c.json <<EOF\n{{"accessToken": "{}"}}\nEOF',
    "echo 'export GITLAB_TOKEN={}' >> ~/.bashrc",
    "java -Djavax.net.ssl.keyStorePassword={} -jar app.jar",
    "mvn deploy -Drepo.password={}",
    "gradle publish -PsigningPassword={}",
    "dotnet user-secrets set Api:Key {}",
    "dotnet nuget push a.nupkg --api-key {} -s https://n.example.org",
    "sops --encrypt --hc-vault-token {} a.yaml",
)
_BODIES = ("{22a}7", "{40h}", "{30w}4", "{44b}", "{10a}4$x".replace("$", "%"), "{64h}")


def commands(seed: int = 21) -> Iterator[Sample]:
    dice = random.Random(seed)
    for name, form in (MORE | FORMS).items():
        secret = drawn(form, dice)
        yield Sample(name, secret, dice.choice(COMMANDS).format(secret))
    for template in PLACES:
        secret = drawn(dice.choice(_BODIES), dice)
        yield Sample(BY_PLACE, secret, template.format(secret, secret))


def prose(seed: int = 22) -> Iterator[Sample]:
    dice = random.Random(seed)
    for name, form in (MORE | FORMS).items():
        for template in dice.sample(PROSE, 2):
            secret = drawn(form, dice)
            yield Sample(name, secret, template.format(secret))
