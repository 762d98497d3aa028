"""Changes on other machines, and the names that say people rely on one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.policy.production import is_production
from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk

CHANGES = [
    "systemctl restart app",
    "touch /srv/app/flag",
    "git -C /srv/app pull",
    "docker restart web",
    "docker rm web",
    "npm install",
    "kill 4711",
    "crontab -r",
    "./deploy.sh",
    "make deploy",
    "cp a.conf b.conf",
    "sed -i s/a/b/ app.conf",
    "psql -c 'update t set a = 1 where id = 2'",
    "redis-cli set a b",
    "echo x > app.conf",
    "pm2 restart all",
]
LOOKS = [
    "uptime",
    "ls -la /srv/app",
    "tail -n 100 /var/log/app.log",
    "df -h",
    "docker ps",
    "git -C /srv/app log -3",
    "ps aux",
    "cat /etc/os-release",
]
# How a command reaches the machine {0}; it stands in the place of {1}.
WAYS = [
    "ssh {0} '{1}'",
    "ssh -p 2222 deploy@{0}.example.com '{1}'",
    "gcloud compute ssh {0} --command '{1}'",
    "mosh {0} -- sh -c '{1}'",
    "lxc exec {0} -- sh -c '{1}'",
    "ssh {0} <<'X'\n{1}\nX\n",
    "for h in {0}; do ssh $h '{1}'; done",
]


def quoted(command: str) -> str:
    return command.replace("'", '"')


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", CHANGES)
def test_change_in_production_is_danger(way: str, command: str) -> None:
    """However the command gets there."""
    assert risk(way.format("prod-web1", quoted(command))) is Risk.DANGER


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("command", LOOKS)
def test_looking_costs_in_production_what_it_costs_elsewhere(way: str, command: str) -> None:
    """To connect is Care anywhere."""
    assert risk(way.format("prod-web1", command)) is risk(way.format("box1", command)) is Risk.CARE


@pytest.mark.parametrize(
    ("through_ssh", "own_option"),
    [
        ("ssh {0} systemctl {1} app", "systemctl -H {0} {1} app"),
        ("ssh {0} docker {1} web", "docker -H ssh://{0} {1} web"),
        ("ssh {0} docker {1} web", "DOCKER_HOST=ssh://{0} docker {1} web"),
        ("ssh {0} \"psql -c 'update t set a = 1 where id = 2'\"", "psql -h {0} -c 'update t set a = 1 where id = 2'"),
        ("ssh {0} \"psql -c 'drop table t'\"", "psql -h {0} -c 'drop table t'"),
        ("ssh {0} \"mysql -e 'delete from t'\"", "mysql -h {0} -e 'delete from t'"),
        ("ssh {0} redis-cli set a b", "redis-cli -h {0} set a b"),
        ("ssh {0} redis-cli flushall", "redis-cli -h {0} flushall"),
        ("ssh {0} crontab -r", "ansible {0} -a 'crontab -r'"),
    ],
)
def test_ssh_is_never_less_than_the_option_of_the_tool(through_ssh: str, own_option: str) -> None:
    """The machine is the same one."""
    for host in ("box1", "prod-1", "db-primary"):
        for verb in ("restart", "stop", "rm"):
            if "ansible" not in own_option:
                assert risk(through_ssh.format(host, verb)) >= risk(own_option.format(host, verb))
            assert risk(through_ssh.format(host, verb)) >= Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "redis-cli -h prod-redis set a b",
        "mongosh mongodb://prod/x --eval 'db.t.insertOne({a: 1})'",
        "AWS_PROFILE=prod aws s3 cp a s3://bucket/",
        "export AWS_PROFILE=prod; aws s3 cp a s3://bucket/",
        "env DOCKER_HOST=ssh://prod docker stop web",
        "DOCKER_CONTEXT=live docker restart web",
        "RAILS_ENV=production rails db:migrate",
        "KUBECONFIG=~/clusters/prod.yml kubectl apply -f x.yml",
        "wrangler deploy --env production",
        "railway up -e production",
        "firebase deploy -P shop-prod",
        "fab -H prod1 deploy",
        "fab -H prod1 -- systemctl restart app",
        "cap production deploy",
        "kamal deploy -d production",
        "scp app.tar.gz deploy@prod:/srv/",
        "rsync -az dist/ deploy@live.example.com:/srv/www/",
        "curl -X POST https://api.prod.example.com/jobs -d x=1",
        "terraform workspace select prod",
        "alembic -x env=prod upgrade head",
        "mysql -h mysql-master -e 'insert into t values (1)'",
        "psql -h primary-db.internal -c 'insert into t values (1)'",
    ],
)
def test_tool_that_changes_something_by_that_name_is_danger(line: str) -> None:
    """In a host, a profile, a variable, a stage, an app."""
    assert risk(line) is Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "NODE_ENV=production npm run build",
        "docker build -t shop:prod .",
        "git log prod..main",
        "git switch production",
        "kubectl -n prod get pods",
        "AWS_PROFILE=prod aws s3 ls",
        "gh pr create --title 'fix the prod bug' --body x",
        "git commit -m 'prod: raise limits'",
        "ansible prod -m ping",
        "ansible-playbook --check -i inventories/prod site.yml",
        "docker exec web ls /data/prod",
        "ssh preprod systemctl status app",
        "curl https://api.prod.example.com/health",
        "npm run build:prod",
        "cap sync",
    ],
)
def test_looks_and_local_work_are_no_change_there(line: str) -> None:
    """A word about production is no machine."""
    assert risk(line) < Risk.DANGER


@pytest.mark.parametrize(
    "name",
    [
        "prod",
        "PROD",
        "prod-1",
        "web.prod.example.com",
        "my_prod",
        "webprod01",
        "production",
        "eu-live",
        "prd2",
        "live",
        "db-primary",
        "pg-master",
        "master-db",
        "redis_master",
        "primary.db.internal",
    ],
)
def test_production_goes_by_these_names(name: str) -> None:
    """As a whole word, or with what people put around it."""
    assert is_production(name)


@pytest.mark.parametrize(
    "name",
    [
        "product",
        "products",
        "non-prod",
        "nonprod",
        "pre-prod",
        "preprod",
        "alive",
        "delivery",
        "liveness",
        "olive",
        "master",
        "primary",
        "reproduce",
        "staging",
        "webmaster",
        "producer",
    ],
)
def test_other_words_are_no_production(name: str) -> None:
    """Though letters of it are in them."""
    assert not is_production(name)


@given(st.sampled_from(CHANGES), st.sampled_from(["", "-a", "2", ".example.com", "-eu-west-1"]))
def test_name_around_production_changes_nothing(command: str, rest: str) -> None:
    """It is still that machine."""
    assert risk(f"ssh web-prod{rest} '{quoted(command)}'") is Risk.DANGER
