"""Lines with what works beside kubectl, and how much a yes to them could cost."""

import pytest

from assent.protocol.decision import Risk
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
        "helm version --short",
        "minikube version",
        "kind version",
        "kind --version",
        "helmfile --version",
        "stern --version",
        "k9s version",
        "argocd version --client",
        "flux --version",
        "istioctl version",
        "kustomize version",
        "skaffold version",
        "tilt version",
        "helm --help",
        "helm install --help",
        "helm list -A",
        "helm ls --all-namespaces",
        "helm search repo nginx",
        "helm get manifest web",
        "helm get notes web",
        "helm env",
        "helm template web ./chart -f values.yaml --set a=b",
        "helm show chart ./chart",
        "helm status web -o json",
        "helm diff upgrade web ./chart",
        "k3d cluster list",
        "k3d node list",
        "minikube profile list",
        "minikube ip",
        "minikube addons list",
        "minikube logs",
        "kind get nodes",
        "kind get kubeconfig",
        "kubectx",
        "kubens",
        "stern web",
        "argocd app get web",
        "argocd app diff web",
        "argocd cluster list",
        "flux get all",
        "flux check",
        "velero backup get",
        "istioctl analyze",
        "istioctl proxy-status",
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
        "helm repo add bitnami https://charts.bitnami.com/bitnami",
        "helm repo update",
        "helm dependency update ./chart",
        "helm upgrade --install web ./chart -f values.yaml",
        "helm pull bitnami/nginx",
        "minikube start",
        "kind create cluster",
        "k3d cluster create dev",
        "istioctl x create-remote-secret",
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
        "helm delete web",
        "helm uninstall web -n x",
        "helm upgrade --install web ./chart --force",
        "helm rollback web",
        "flux uninstall --silent",
        "k3d cluster delete --all",
        "minikube delete --all --purge",
        "kubeadm reset",
        "kops delete cluster x --yes",
        "if true; then helm uninstall web; fi",
        "helm --namespace list uninstall web",
        "helm diff upgrade web ./c --post-renderer 'sh -c \"rm -rf /\"'",
    ],
)
def test_cluster_tools_takes_away_or_opens_is_danger(line: str) -> None:
    """What takes away, lets in, shows secrets or touches production is Danger."""
    assert risk(line) == Risk.DANGER
