"""Java, Maven, Gradle."""

import pytest

from assent.protocol.decision import Risk
from tests.unit.policy.risks import risk


@pytest.mark.parametrize(
    "line",
    [
        "java -version",
        "java --list-modules",
        "mvn -v",
        "gradle -v",
        "jar tf shop.jar",
        "javap -c Shop.class",
    ],
)
def test_jvm_lines_that_only_tell_are_look(line: str) -> None:
    """What they only tell is Look."""
    assert risk(line) == Risk.LOOK


@pytest.mark.parametrize(
    "line",
    [
        "java -jar shop.jar",
        "java -cp target/classes shop.Main",
        "java Main.java",
        "mvn -B verify",
        "mvn clean",
        "mvn clean install -DskipTests",
        "mvn dependency:tree package",
        "mvn -s other.xml dependency:tree",
        "gradle build -x test",
        "gradle clean",
        "gradle publishToMavenLocal",
        'gradle "$task"',
        "./gradlew test",
        "./mvnw -q test",
        "ant",
        "sbt test",
        "mvn org.evil.plugins:maven-dependency-plugin:1:tree",
    ],
)
def test_jvm_lines_that_build_or_run_are_left_to_the_client(line: str) -> None:
    """The project is built and run with care."""
    assert risk(line) in (Risk.CHANGE, Risk.CARE)


@pytest.mark.parametrize(
    "line",
    [
        "mvn deploy",
        "mvn -DskipTests clean deploy",
        "mvn release:perform",
        "mvn exec:exec -Dexec.executable=rm -Dexec.args='-rf /'",
        "mvn dependency:tree -DoutputFile=/etc/x",
        "gradle publish",
        "gradle :lib:publishAllPublicationsToMavenRepository",
        "gradle --init-script /tmp/x.gradle tasks",
        "gradle -I/tmp/x.gradle tasks",
        "gradle flywayClean",
        "java -XX:OnOutOfMemoryError='rm -rf ~' -jar shop.jar",
        "java -agentlib:jdwp=transport=dt_socket,server=y,address=*:5005 -jar shop.jar",
    ],
)
def test_jvm_lines_that_publish_or_run_something_else_are_danger(line: str) -> None:
    """Publishing and programs hidden in settings reach a person."""
    assert risk(line) == Risk.DANGER
