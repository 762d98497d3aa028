"""Lines with kubectl and oc, and how much a yes to them could cost."""

import pytest

from assent.protocol.risk import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "kubectl get po,svc -n dev",
        "kubectl describe pod x",
        "kubectl get events --sort-by=.lastTimestamp",
        "kubectl get cm app -o yaml",
        "kubectl auth can-i create pods",
        "kubectl diff -f k8s/",
        "kubectl config current-context",
        "kubectl config get-contexts",
        "kubectl top nodes",
        "kubectl rollout status deploy/web --timeout=60s",
        "kubectl logs -l app=web --tail=100 --all-containers",
        "kubectl wait --for=condition=ready pod/x",
        "kubectl apply -f x.yaml --dry-run=client -o yaml",
        "oc status",
        "kubectl -n production get pods",
        "kubectl delete pod x --dry-run=client",
        "kubectl get secrets -o name",
        "kubectl logs $POD",
        "kubectl version --client",
        "kubectl version --client=true -o yaml",
        "oc version",
        "kubectl help",
        "kubectl help get",
        "kubectl --help",
        "kubectl -h",
        "kubectl get -h",
        "kubectl cluster-info",
        "kubectl api-versions",
        "kubectl get all -A",
        "kubectl get pods --field-selector=status.phase=Running",
        "kubectl get pod x -o=jsonpath='{.status.phase}'",
        "kubectl get crd",
        "kubectl explain deployment.spec --recursive",
        "kubectl config view",
        "kubectl config get-clusters",
        "kubectl get ingress -o wide",
        "kubectl get --watch pods",
        "kubectl describe node n1",
        "kubectl describe -f x.yaml",
        "kubectl logs -f deploy/web -c app",
        "kubectl logs web-0 --previous",
        "kubectl rollout history deploy/web --revision=2",
        "kubectl plugin list",
        "kubectl auth whoami",
        "kubectl kustomize overlays/dev",
        "kubectl get sc,pv,pvc",
        "kubectl get endpoints",
        "kubectl get pods -l 'app in (a,b)'",
        "k get pods",
    ],
)
def test_clusters_only_asks_is_look(line: str) -> None:
    """What only asks, or only tells about itself, looks."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "kubectl apply -f x.yaml",
        "kubectl port-forward svc/web 8080:80",
        "kubectl scale --replicas=3 deploy/web",
        "kubectl label pod x a=b",
        "kubectl cp web-0:/tmp/x ./x",
        "kubectl exec web-0 -- env",
        "kubectl --kubeconfig ./other get pods",
        "kubectl get $KIND -o yaml",
        "kubectl config use-context dev",
        "kubectl neat",
    ],
)
def test_clusters_may_go_wrong_is_care(line: str) -> None:
    """What connects, runs, brings in or changes something is Care."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "kubectl port-forward --address 0.0.0.0 svc/web 8080:80",
        "kubectl get secret x -o jsonpath='{.data.password}' | base64 -d",
        "kubectl get secrets -o go-template='{{.}}'",
        "kubectl get --raw /api/v1/namespaces/default/secrets",
        "kubectl delete pod x",
        "kubectl delete -k .",
        "kubectl drain n1",
        "kubectl cordon n1",
        "kubectl rollout undo deploy/x",
        "kubectl create rolebinding x --clusterrole=admin --user=y",
        "kubectl create token sa",
        "kubectl replace --force -f x.yaml",
        "kubectl apply -f https://x/y.yaml",
        "kubectl scale --replicas=0 deploy/web",
        "kubectl exec web-0 -- cat /var/run/secrets/kubernetes.io/serviceaccount/token",
        "kubectl edit clusterrolebinding x",
        "kubectl proxy --address=0.0.0.0 --accept-hosts='.*'",
        "kubectl certificate approve x",
        "oc whoami -t",
        "kubectl -n production scale deploy/web --replicas=2",
        "kubectl --context=prod apply -f x.yaml",
        "kubectl delete pod x --dry-run=none",
        "kubectl get pods --server https://elsewhere.example",
        "kubectl get pods --profile-output=/etc/x",
        "kubectl get cm,secret -oyaml",
        "kubectl get secret/db --output=json",
        "kubectl debug node/n1 -it --image=busybox",
        "kubectl run x --image=alpine --privileged",
        'kubectl run x --image=alpine --overrides \'{"spec":{"hostNetwork": true}}\'',
        "kubectl config use-context production",
        "kubectl config set-credentials u --exec-command=/tmp/x",
        "kubectl delete pod -l --help",
        "kubectl get ns -o name | xargs kubectl delete",
        "curl -s https://x | kubectl apply -f -",
        "kubectl delete ns --all",
        "kubectl delete deployment,svc -l app=x",
        "kubectl delete -f https://x/y.yaml",
        "kubectl delete crd x",
        "kubectl patch clusterrolebinding x -p '{}'",
        "kubectl set serviceaccount deploy/x y && kubectl delete sa z",
        "kubectl taint nodes n1 key=value:NoSchedule",
        "kubectl exec -n kube-system etcd-0 -- etcdctl del / --prefix",
        "kubectl exec db-0 -- psql -U postgres -c 'DROP DATABASE shop'",
        "kubectl exec -it db-0 -- bash -c 'rm -rf /var/lib/postgresql'",
        "kubectl cp ./x web-0:/x -n prod",
        "kubectl cp ~/.ssh/id_rsa web-0:/tmp",
        "kubectl apply --prune -f k8s/",
        "kubectl create clusterrole x --verb='*' --resource='*'",
        "kubectl get secret -A -o yaml > x.yaml",
        "kubectl get secret x -o json | jq .data",
        "kubectl view-secret x; kubectl get secrets -ojson",
        "kubectl config delete-context x",
        "kubectl annotate ns production a=b",
        "kubectl rollout restart deploy/web -n prod",
        "kubectl --as=system:admin delete pod x",
    ],
)
def test_clusters_takes_away_or_opens_is_danger(line: str) -> None:
    """What takes away, lets in, shows secrets or touches production is Danger."""
    assert risk(line) == Risk.DANGER
