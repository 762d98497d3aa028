"""Lines with the command line of Amazon's cloud, and how much a yes to them could cost."""

import pytest

from assent.protocol.risk import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "aws sts get-caller-identity",
        "aws ec2 describe-instances --query 'Reservations[].Instances[].[InstanceId,State.Name]' --output table",
        "aws logs tail /aws/lambda/f --since 1h",
        "aws --profile dev --region eu-west-1 s3 ls",
        "aws s3api list-objects-v2 --bucket b --prefix x/ --max-items 5",
        "aws s3api head-object --bucket b --key k",
        "aws iam get-role --role-name r",
        "aws cloudformation describe-stack-events --stack-name s",
        "aws dynamodb scan --table-name t --max-items 3",
        "aws secretsmanager list-secrets",
        "aws ssm get-parameter --name /x",
        "aws configure list",
        "aws ec2 help",
        "aws ec2 terminate-instances help",
        "aws ec2 describe-instances --instance-ids $ID",
        "aws s3 rm --help",
    ],
)
def test_clouds_aws_only_asks_is_look(line: str) -> None:
    """What only asks, or only tells about itself, looks."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "aws lambda invoke --function-name f out.json",
        "aws s3 cp s3://b/x ./x",
        "aws cloudformation deploy --template-file t.yml --stack-name dev",
        "aws sqs send-message --queue-url u --message-body hi",
        "aws $SERVICE describe-instances",
        "aws ec2 $OPERATION",
        "aws ec2 describe-instances --endpoint-url https://elsewhere.example",
    ],
)
def test_clouds_aws_may_go_wrong_is_care(line: str) -> None:
    """What connects, runs, brings in or changes something is Care."""
    assert risk(line) == Risk.CARE


@pytest.mark.parametrize(
    "line",
    [
        "aws ssm get-parameter --name /x --with-decryption",
        "aws ssm get-parameters-by-path --path / --recursive --with-decryption",
        "aws secretsmanager get-secret-value --secret-id x",
        "aws configure get aws_secret_access_key",
        "aws configure export-credentials",
        "aws sts assume-role --role-arn x --role-session-name y",
        "aws ecr get-login-password",
        "aws ec2 revoke-security-group-ingress --group-id x",
        "aws ec2 authorize-security-group-ingress --group-id sg-1 --cidr 0.0.0.0/0 --protocol tcp --port 22",
        "aws iam attach-role-policy --role-name r --policy-arn arn:aws:iam::aws:policy/AdministratorAccess",
        "aws iam create-user --user-name x",
        "aws s3 sync ./dist s3://x --acl public-read",
        "aws s3 rm s3://bucket/key",
        "aws rds reboot-db-instance --db-instance-identifier x",
        "aws ec2 stop-instances --instance-ids i-1",
        'aws ec2 modify-snapshot-attribute --snapshot-id s --create-volume-permission "Add=[{Group=all}]"',
        "aws s3 cp s3://b/x ~/.bashrc",
        "aws sns publish --topic-arn t --message hi",
        "aws s3 presign s3://b/k",
        "aws ec2 run-instances --user-data file:///home/me/.ssh/id_rsa",
        "aws --region us-east-1 --output json ec2 terminate-instances --instance-ids i-1",
        "aws ec2 terminate-instances --instance-ids i-1 --region help",
        "aws --unknown ec2 delete-volume --volume-id v",
        "aws --unknown value ec2 delete-volume --volume-id v",
        "aws s3 mv s3://a/x s3://b/x",
        "aws s3 sync . s3://b --delete",
        "aws s3api put-object-acl --bucket b --key k --acl private",
        'aws ecs execute-command --cluster c --task t --command "/bin/sh"',
        "X=terminate-instances; aws ec2 $X --instance-ids i-1",
    ],
)
def test_clouds_aws_takes_away_or_opens_is_danger(line: str) -> None:
    """What takes away, lets in, shows secrets or touches production is Danger."""
    assert risk(line) == Risk.DANGER
