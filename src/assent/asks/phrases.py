"""Commands whose first words say what they do, in plain words; {} is what stands after them."""

_BY_VERB: dict[str, str] = {
    "Run the tests": (
        "pytest|py.test|tox|nox|jest|vitest|mocha|rspec|phpunit|ctest|npm test|npm t|npm run test|yarn test"
        "|yarn run test|pnpm test|pnpm run test|bun test|bun run test|cargo test|cargo nextest|go test"
        "|make test|make check|mvn test|gradle test|./gradlew test|dotnet test|mix test|rake test"
        "|python -m pytest|python3 -m pytest|python -m unittest|python3 -m unittest|uv run pytest"
        "|poetry run pytest|deno test|swift test"
    ),
    "Build the project": (
        "make|npm run build|yarn build|pnpm build|pnpm run build|bun run build|cargo build|go build|cmake"
        "|ninja|mvn package|mvn install|gradle build|./gradlew build|dotnet build|swift build|bazel build"
    ),
    "Check the code": (
        "eslint|ruff|ruff check|mypy|pyright|tsc|npm run lint|yarn lint|pnpm lint|cargo clippy|cargo check"
        "|go vet|pylint|flake8|shellcheck|pre-commit run"
    ),
    "Format the code": "prettier|black|ruff format|gofmt|cargo fmt|go fmt|npm run format",
    "List files": "ls|tree|git ls-files",
    "Search files": "grep|rg|git grep",
    "Show what changed": "git status|git diff|git log|git show",
    "Make or list branches": "git branch",
    "Delete untracked files": "git clean",
    "Commit": "git commit",
    "Stage files": "git add",
    "Rewrite the last commit": "git commit --amend",
    "Rewrite commits": "git rebase|git filter-branch|git filter-repo",
    "Merge {}": "git merge",
    "Pull from the remote": "git pull",
    "Fetch commits": "git fetch|git remote update",
    "Clone {}": "git clone",
    "Put changes aside": "git stash|git stash push|git stash save",
    "Bring changes back that were put aside": "git stash pop|git stash apply",
    "Delete changes that were put aside": "git stash drop|git stash clear",
    "Delete branch {}": "git branch -D|git branch -d|git branch --delete",
    "Delete tag {}": "git tag -d|git tag --delete",
    "Tag {}": "git tag",
    "Switch to {}": "git switch|git checkout",
    "Throw away uncommitted changes": ("git reset --hard|git checkout --|git checkout .|git restore|git checkout -f"),
    "Move the branch": "git reset",
    "Change git's settings": "git config",
    "Publish the package": (
        "npm publish|yarn publish|pnpm publish|cargo publish|twine upload|poetry publish|uv publish|gem push"
        "|python -m twine upload"
    ),
    "Open a pull request": "gh pr create",
    "Merge a pull request": "gh pr merge",
    "Comment on a pull request": "gh pr comment|gh pr review",
    "Open an issue": "gh issue create",
    "Comment on an issue": "gh issue comment",
    "Publish a release": "gh release create",
    "Destroy real infrastructure": "terraform destroy|tofu destroy|pulumi destroy|cdk destroy",
    "Change real infrastructure": "terraform apply|tofu apply|pulumi up|cdk deploy|serverless deploy",
    "Delete {} in the cluster": "kubectl delete|oc delete",
    "Change the cluster": (
        "kubectl apply|kubectl patch|kubectl create|kubectl scale|kubectl rollout|kubectl edit|helm upgrade"
        "|helm install|kubectl replace|kubectl set"
    ),
    "Run a command in the cluster": "kubectl exec|kubectl run|oc exec",
    "Remove {} from the cluster": "helm uninstall|helm delete",
    "Start containers": "docker compose up|docker-compose up|podman compose up",
    "Stop containers and delete their data": "docker compose down -v|docker-compose down -v",
    "Open {}": "open|xdg-open",
    "Stop containers": "docker compose down|docker-compose down|docker stop|docker compose stop",
    "Delete containers or images": (
        "docker rm|docker rmi|docker system prune|docker image prune|docker volume rm|docker volume prune"
        "|docker container prune"
    ),
    "Build an image": "docker build|docker buildx build|podman build",
    "Push an image": "docker push|podman push",
    "Run a container": "docker run|podman run",
    "Run a command in a container": "docker exec|docker compose exec|docker compose run|podman exec",
    "Connect to {}": "ssh|mosh|telnet",
    "End processes": "kill|pkill|killall",
    "Change what runs by the clock": "crontab|at|systemd-run",
    "Type into a terminal": "tmux send-keys|tmux send|xdotool|screen -X",
    "Change permissions of {}": "chmod|setfacl",
    "Change the owner of {}": "chown|chgrp",
    "Make folder {}": "mkdir",
    "Move {}": "mv|git mv",
    "Copy {}": "cp",
    "Change the database": (
        "alembic upgrade|alembic downgrade|prisma migrate|rails db:migrate|rake db:migrate|flyway migrate"
        "|python manage.py migrate|python3 manage.py migrate"
    ),
    "Delete all data": "redis-cli flushall|redis-cli flushdb|dropdb",
    "Show all variables": "env|printenv|export -p",
}
PHRASES = {phrase: verb for verb, phrases in _BY_VERB.items() for phrase in phrases.split("|")}
MOST_WORDS = max(len(phrase.split()) for phrase in PHRASES)
