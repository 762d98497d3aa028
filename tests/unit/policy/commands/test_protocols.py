"""Texts that servers obey, whichever program carries them there."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk

# How a text gets to a server without a client of its own.
CARRIERS = [
    "printf '{0}\\r\\n' | nc {1} {2}",
    "echo '{0}' | ncat {1} {2}",
    "nc {1} {2} <<< '{0}'",
    "echo '{0}' | socat - TCP:{1}:{2}",
    "echo '{0}' | telnet {1} {2}",
    "(echo '{0}'; sleep 1) | telnet {1} {2}",
    "{{ echo '{0}'; echo QUIT; }} | nc {1} {2}",
    "echo '{0}' | curl telnet://{1}:{2}",
    "echo '{0}' > /dev/tcp/{1}/{2}",
]


@pytest.mark.parametrize("carrier", CARRIERS)
@pytest.mark.parametrize("host", ["localhost", "db.internal"])
@pytest.mark.parametrize(
    ("text", "port"),
    [
        ("FLUSHALL", 6379),
        ("flushdb", 6379),
        ("CONFIG SET dir /tmp", 6379),
        ("flush_all", 11211),
        ("DROP DATABASE shop", 5432),
        ("truncate table orders", 3306),
        ("DELETE /idx HTTP/1.1", 9200),
        ("POST /idx/_delete_by_query HTTP/1.1", 9200),
        ("MAIL FROM:<a@b.c>", 25),
        ("kill", 2181),
    ],
)
def test_orders_that_ruin_are_danger(carrier: str, host: str, text: str, port: int) -> None:
    """The program that carries them changes nothing about what they mean."""
    assert risk(carrier.format(text, host, port)) is Risk.DANGER


@pytest.mark.parametrize("carrier", [carrier for carrier in CARRIERS if "/dev/tcp" not in carrier])
@pytest.mark.parametrize(
    ("text", "port"),
    [("PING", 6379), ("INFO", 6379), ("stats", 11211), ("ruok", 2181), ("GET / HTTP/1.0", 8080), ("hello", 7)],
)
def test_questions_cost_no_more_than_the_connection(carrier: str, text: str, port: int) -> None:
    """Health checks are made like this every day."""
    assert risk(carrier.format(text, "localhost", port)) is Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "curl -X POST {0}:9200/idx/_delete_by_query -d '{{}}'",
        "curl -XDELETE {0}:9200/idx",
        "curl -X POST {0}:9200/idx/_close",
        "curl -X PUT {0}:9200/_cluster/settings -d '{{}}'",
        "curl -X PUT {0}:8500/v1/kv/a -d b",
        "curl -XPUT http://{0}:2379/v2/keys/x -d value=1",
        "curl -X POST {0}:2379/v3/kv/deleterange -d '{{}}'",
        "curl -X PUT {0}:8200/v1/sys/seal",
        "curl -X POST http://{0}:2375/containers/create -d '{{}}'",
        "curl -X PATCH http://{0}:8001/apis/apps/v1/namespaces/x/deployments/y -d '{{}}'",
        "curl http://{0}:8001/api/v1/namespaces/default/secrets",
        "curl http://{0}:8200/v1/secret/data/app",
        "curl -d 'DROP TABLE t' http://{0}:8123/",
        "curl 'http://{0}:8123/?query=DROP+TABLE+t'",
        "curl 'http://{0}:8123/?query=TRUNCATE%20TABLE%20t'",
        "echo 'DROP TABLE t' | curl --data-binary @- http://{0}:8123/",
        "curl -G http://{0}:8086/query --data-urlencode 'q=DROP DATABASE x'",
        "curl -X DELETE http://{0}:5984/db",
        "curl -X DELETE http://{0}:15672/api/queues/%2f/q/contents",
        "curl -X PUT http://{0}:15672/api/users/eve -d '{{}}'",
        'curl {0}:7474/db/neo4j/tx/commit -d \'{{"statements":[{{"statement":"MATCH (n) DETACH DELETE n"}}]}}\'',
        "curl http://{0}:8983/solr/c/update -d '<delete><query>*:*</query></delete>'",
        "curl 'http://{0}:8983/solr/admin/cores?action=UNLOAD&core=x'",
        "curl -X POST {0}:8080/actuator/shutdown",
        "curl -X POST http://{0}:9090/-/quit",
        "curl -X PUT http://vault.{0}/v1/auth/x -d '{{}}'",
        "curl -X POST http://api-prod.{0}/deploy",
        "curl gopher://{0}:6379/_FLUSHALL",
        "curl 'gopher://{0}:6379/_%2A1%0D%0A%248%0D%0AFLUSHALL%0D%0A'",
        "curl dict://{0}:6379/flushall",
        "wget --method=DELETE http://{0}:9200/idx",
        "wget --post-data='q=DROP DATABASE x' http://{0}:8086/query",
        "http DELETE {0}:9200/idx",
        "http POST {0}:9200/idx/_delete_by_query",
        "grpcurl -d '{{}}' {0}:2379 etcdserverpb.KV/DeleteRange",
    ],
)
def test_request_means_what_it_says(line: str) -> None:
    """Here as on another machine."""
    for host in ("localhost", "db.internal"):
        assert risk(line.format(host)) is Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "curl localhost:9200/_cat/indices",
        "curl -X POST localhost:9200/idx/_search -d '{}'",
        "curl 'http://localhost:8123/?query=SELECT+1'",
        "curl 'localhost:3000/search?q=drop+shipping'",
        "curl -X POST localhost:3000/api/items -d '{\"a\": 1}'",
        "curl -X POST localhost:3000/login -d 'user=a'",
        "curl -X POST localhost:3000/api/users -d '{\"name\": 1}'",
        "curl -X POST localhost:8000/v1/auth/login -d 'user=a'",
        "curl -X PUT localhost:8000/api/v1/services/4 -d '{}'",
        "curl -X POST localhost:5000/images/ -d '{}'",
        "curl -X POST localhost:8000/v1/jobs -d '{}'",
        "curl http://localhost:5984/_all_dbs",
        "curl http://localhost:2375/containers/json",
        "cypher-shell 'MATCH (n) RETURN n LIMIT 5'",
        "grpcurl localhost:50051 list",
    ],
)
def test_questions_and_daily_requests_are_no_danger(line: str) -> None:
    """A word in a text is no order."""
    assert risk(line) < Risk.DANGER


@pytest.mark.parametrize(
    "line",
    [
        "cypher-shell 'MATCH (n) DETACH DELETE n'",
        "echo 'MATCH (n) DETACH DELETE n' | cypher-shell",
        "influx -execute 'DROP DATABASE x'",
        "clickhouse-client -q 'DROP TABLE t'",
        "echo FLUSHALL | redis-cli --pipe",
        "mongosh --eval 'db.dropDatabase()'",
        "swaks --to a@b.c --server mail",
    ],
)
def test_clients_are_read_as_well(line: str) -> None:
    """In their words or through their input."""
    assert risk(line) is Risk.DANGER
