"""Lines with the command lines of Google's cloud, and how much a yes to them could cost."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "gcloud projects list",
        "gcloud compute instances describe vm1 --zone us-central1-a --format json",
        'gcloud logging read "resource.type=cloud_run_revision" --limit 50',
        "gcloud config get-value project",
        "gcloud container clusters describe c1 --region r",
        "gcloud beta run services list",
        "gcloud storage ls gs://b",
        'gcloud compute instances list --filter "name=delete"',
        "gsutil du gs://b",
        "gcloud --version",
        "gcloud version",
        "bq version",
        "gsutil version",
        "gcloud compute instances delete --help",
        "gcloud help compute",
        "gcloud services list --enabled",
        "gcloud iam service-accounts list",
        "gcloud iam roles describe roles/viewer",
        "gcloud projects describe p",
        "gcloud projects get-iam-policy p",
        "gcloud run services describe s --region r",
        "gcloud run revisions list",
        "gcloud functions logs read f",
        "gcloud app logs tail",
        "gcloud app versions list",
        "gcloud sql instances list",
        "gcloud sql databases list -i x",
        "gcloud builds list --limit 5",
        "gcloud builds log b1",
        "gcloud compute zones list",
        "gcloud compute firewall-rules list",
        "gcloud container images list-tags gcr.io/p/i",
        "gcloud artifacts repositories list",
        "gcloud secrets list",
        "gcloud secrets versions list s",
        "gcloud info",
        "gcloud config configurations list",
        "gcloud pubsub topics list",
        "gcloud dns record-sets list --zone z",
        "gcloud asset search-all-resources",
        "gcloud monitoring dashboards list",
        "gsutil stat gs://b/x",
        "gsutil cat gs://b/x",
        "bq ls",
        "bq show d.t",
        "bq head -n 5 d.t",
    ],
)
def test_clouds_google_only_asks_is_look(line: str) -> None:
    """What only asks, or only tells about itself, looks."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "gcloud config set project x",
        "gcloud run deploy svc --image i",
        "gcloud storage cp gs://b/x .",
        "gcloud compute instances create list",
        "gcloud compute ssh vm1 --command 'uptime'",
        "gcloud compute instances $VERB",
        "gsutil cp dist/app.js gs://b/",
        "bq query 'select 1'",
        "gcloud auth login",
        "gcloud builds submit --tag x",
        "gcloud run deploy web --source .",
        "gcloud functions deploy f",
        "gcloud compute instances create vm1",
        "gcloud compute instances start vm1",
        "gcloud container clusters get-credentials c",
        "gcloud services enable run.googleapis.com",
        "gcloud components update",
    ],
)
def test_clouds_google_may_go_wrong_is_care(line: str) -> None:
    """What connects, runs, brings in or changes something is Care."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "gcloud auth print-access-token",
        "gcloud --quiet sql instances delete db",
        "gcloud projects add-iam-policy-binding p --member user:x --role roles/owner",
        "gcloud compute instances stop vm1",
        "gcloud iam service-accounts keys create key.json --iam-account x",
        "gcloud storage rm -r gs://b",
        "gcloud storage cp ~/.ssh/id_rsa gs://b",
        "gcloud compute firewall-rules create x --allow tcp:22",
        "gcloud functions deploy f --allow-unauthenticated",
        "gcloud --verbosity debug compute instances delete vm1",
        "gcloud compute ssh vm1 --command 'rm -rf /'",
        "gsutil iam ch allUsers:objectViewer gs://b",
        "gsutil rsync -d ./x gs://b",
        "bq rm -r -f dataset",
        "bq query 'delete from d.t where true'",
        "gcloud compute disks delete d --zone z -q",
        "gcloud sql databases delete d -i x",
        "gcloud kms keys versions destroy 1 --key k",
        "gcloud iam service-accounts delete x",
        "gcloud projects remove-iam-policy-binding p --member x --role y",
        "gcloud dns managed-zones delete z",
        "gcloud alpha compute instances delete x",
        "gcloud run services add-iam-policy-binding s --member=allUsers --role=roles/run.invoker",
        "gcloud container clusters delete c --async",
        "gcloud secrets delete s",
        "gcloud secrets versions access 1 --secret s",
        "gcloud auth application-default print-access-token",
        "gcloud pubsub topics delete t",
        "gcloud firestore databases delete --database=x",
        "gcloud compute instances reset vm",
        "gsutil rb gs://b",
        "gsutil -m rm -rf gs://b/**",
        "gsutil acl ch -u AllUsers:R gs://b/x",
        "gsutil signurl key.json gs://b/x",
        "bq rm -f d.t",
        "gcloud --project list compute instances delete x",
    ],
)
def test_clouds_google_takes_away_or_opens_is_danger(line: str) -> None:
    """What takes away, lets in, shows secrets or touches production is Danger."""
    assert risk(line) == Risk.DANGER
