"""Lines with what works beside kubectl, and how much a yes to them could cost."""

import pytest

from assent.protocol.risk import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "helm status web",
        "helm history web",
        "helm show values ./chart",
        "helm dependency list",
        "kustomize build .",
        "minikube status",
        "kind get clusters",
        "argocd app list",
        "helm install web ./chart --dry-run",
    ],
)
def test_cluster_tools_only_asks_is_look(line: str) -> None:
    """What only asks, or only tells about itself, looks."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "helm install web ./chart",
        "kustomize build https://github.com/x/y",
        "helm template ./c --post-renderer /tmp/x",
    ],
)
def test_cluster_tools_may_go_wrong_is_care(line: str) -> None:
    """What connects, runs, brings in or changes something is Care."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "helm uninstall web",
        "helm rollback web 1",
        "helm plugin install https://x",
        "helm upgrade web ./chart --namespace production",
        "kustomize build --enable-exec .",
        "minikube delete",
        "kind delete cluster",
        "flux delete source git x",
        "argocd app delete x",
        "etcdctl get / --prefix",
        "istioctl uninstall --purge -y",
        "velero backup delete x",
        "minikube kubectl -- delete pod x",
    ],
)
def test_cluster_tools_takes_away_or_opens_is_danger(line: str) -> None:
    """What takes away, lets in, shows secrets or touches production is Danger."""
    assert risk(line) == Risk.DANGER
