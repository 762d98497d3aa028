"""Lines with infrastructure as code, and how much a yes to them could cost."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "terraform state list",
        "terraform show",
        "terraform fmt -check -diff",
        "terraform version",
        "vault status",
        "ansible-doc copy",
        "terraform apply -help",
        "terraform output",
        "pulumi stack ls",
        "vault kv list secret/",
        "nomad job status web",
        "terraform plan -help",
        "packer validate x.pkr.hcl",
        "terraform --version",
        "terraform -version",
        "terraform -v",
        "pulumi version",
        "ansible --version",
        "ansible-playbook --version",
        "vault --version",
        "vault version",
        "cdk --version",
        "serverless --version",
        "packer --version",
        "nomad version",
        "consul version",
        "tflint --version",
        "terragrunt --version",
        "ansible-lint --version",
        "terraform --help",
        "terraform",
        "terraform state show 'module.x.aws_instance.y'",
        "terraform workspace show",
        "terraform validate -json",
        "tofu validate",
        "terraform providers schema",
        "pulumi stack history",
        "pulumi whoami",
        "pulumi about",
        "ansible-config dump",
        "ansible-galaxy list",
        "ansible-galaxy collection list",
        "vault policy list",
        "vault secrets list",
        "vault auth list",
        "consul members",
        "consul catalog services",
        "nomad status",
        "nomad node status",
        "packer fmt -check .",
        "vault status -address=http://127.0.0.1:8200",
    ],
)
def test_infra_only_asks_is_look(line: str) -> None:
    """What only asks, or only tells about itself, looks."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "terraform fmt",
    ],
)
def test_infra_git_can_undo_is_change(line: str) -> None:
    """What it changes in the project can be undone."""
    assert risk(line) == Risk.CHANGE


@pytest.mark.parametrize(
    "line",
    [
        "terraform plan -out=/tmp/x",
        "terraform init -upgrade",
        "ansible-playbook site.yml",
        "cdk deploy",
        "pulumi preview",
        "cdk synth",
        "ansible all -m ping",
        "terraform refresh",
        "packer build x.pkr.hcl",
        "terraform init",
        "terraform plan -var-file=dev.tfvars",
        "terraform workspace select dev",
        "terraform import aws_instance.x i-1",
        "terraform get",
        "terraform test",
        "pulumi preview --diff",
        "pulumi stack select dev",
        "pulumi config set a b",
        "cdk diff",
        "ansible-playbook site.yml --check --diff",
        "ansible all -m ping -i hosts",
        "ansible-galaxy install -r requirements.yml",
        "packer build .",
    ],
)
def test_infra_may_go_wrong_is_care(line: str) -> None:
    """What connects, runs, brings in or changes something is Care."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "terraform apply -auto-approve",
        "terraform -chdir=infra destroy",
        "terraform state push x",
        "terraform workspace delete x",
        "terraform plan -out=/home/me/.bashrc",
        "terraform init -migrate-state",
        "pulumi destroy",
        "vault read secret/x",
        "vault token create",
        "ansible web -m shell -a id",
        "ansible-playbook -i inventories/production site.yml",
        "ansible-vault decrypt x.yml",
        "nomad job stop x",
        "consul kv delete -recurse x",
        "terragrunt run-all destroy",
        "terraform output -raw password",
        "terraform show -json",
        "cdk deploy --require-approval=never",
        "salt '*' cmd.run 'id'",
        "nomad alloc exec abc rm -rf /",
        "pulumi stack output --show-secrets",
        "pulumi up --yes",
        "ansible all -m copy -a 'src=a dest=b'",
        "vault kv put secret/x a=b",
        "consul exec uptime",
        "terraform apply",
        "terraform apply -auto-approve -target=x",
        "terraform destroy -target=x",
        "terraform state mv a b",
        "terraform taint x",
        "terraform force-unlock abc",
        "terraform state pull",
        "tofu apply -auto-approve",
        "terragrunt apply-all || terragrunt run-all apply",
        "terragrunt run --all destroy",
        "pulumi destroy --yes --skip-preview",
        "pulumi stack rm dev",
        "pulumi state delete x",
        "cdk destroy",
        "sls remove",
        "ansible all -m shell -a 'reboot'",
        "ansible all -b -a 'rm -rf /tmp/x'",
        "ansible-playbook playbook.yml --limit prod",
        "ansible-vault view x",
        "vault delete secret/x",
        "vault kv metadata delete secret/x",
        "vault operator seal",
        "vault secrets disable kv/",
        "vault policy write admin x.hcl",
        "vault token revoke -self",
        "nomad system gc",
        "nomad job stop -purge web",
        "consul kv delete x",
        "salt '*' pkg.remove nginx",
        "nohup terraform destroy &",
        "f() { terraform destroy; }; f",
        "terraform -chdir=plan destroy",
        "vault status -address=https://elsewhere.example",
    ],
)
def test_infra_takes_away_or_opens_is_danger(line: str) -> None:
    """What takes away, lets in, shows secrets or touches production is Danger."""
    assert risk(line) == Risk.DANGER
