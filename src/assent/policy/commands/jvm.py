"""Java and its builds: Maven, Gradle and their kin run what the project says; some verbs only tell about it."""

from collections.abc import Iterator

from assent.policy.commands._either import either
from assent.policy.commands._origins import BUILD, PROJECT
from assent.policy.commands.shells import runs_script
from assent.policy.commands.spec import Finding, Invocation, Run, RunsFile, Spec, careful, each, known
from assent.policy.effects import Effect, care, danger, nothing
from assent.policy.shell.words import HOLE, Arg
from assent.protocol.decision import Risk

_JAVA_TELLS = ("-version", "--version", "-help", "--help", "-h", "-?", "--list-modules", "--help-extra", "-X")


def _java(it: Invocation) -> Iterator[Finding]:
    for name, value in it.values:
        option = f"{name}{value.text}"
        if option.startswith(("-XX:OnError=", "-XX:OnOutOfMemoryError=")):
            yield Run(line=Arg(option.partition("=")[2]))
            yield danger("run", "It runs a line when something fails.", option)
        elif option.startswith(("-javaagent:", "-agentpath:", "-Xbootclasspath")):
            yield care("run", "It loads code before the program.", option)
        elif option.startswith(("-agentlib:jdwp", "-Xrunjdwp")) and "address=" in option and "localhost" not in option:
            yield danger("run", "It lets others run code in this program through a port.", option)
    for arg in it.operands[:1]:
        if arg.text.startswith("@"):
            yield care("unknown", "Its options come from a file.", arg.text)
    jar = it.value("-jar")
    if jar is not None:
        yield runs_script(jar, "java")
    elif it.has(*_JAVA_TELLS) and not it.operands:
        yield nothing("It only tells about itself.")
    elif it.operands and it.operands[0].text.endswith(".java"):
        yield RunsFile(it.operands[0], "java")
    else:
        yield care("project", "It runs a program.")


_JAVA = Spec(
    "It runs a program.",
    "- * -jar:none -cp: -classpath: --class-path= -p: --module-path= -m: --module= --add-modules= -version? -help?"
    " -showversion? -server? -client? -ea? -esa? -verbose? -D~none -X~none -da? -dsa? --add-opens= --add-exports="
    " --source="
    " --enable-native-access= --enable-preview --list-modules -agentlib~none -agentpath~none -javaagent~none"
    " -splash~text",
    "none*",
    also=_java,
    wraps=True,
    last="-jar",
)

# --- Maven

_MVN_LOOKS = (
    *("dependency:tree", "dependency:list", "dependency:analyze", "dependency:resolve", "dependency:analyze-only"),
    *(
        "help:effective-pom",
        "help:describe",
        "help:active-profiles",
        "help:evaluate",
        "help:system",
        "enforcer:enforce",
    ),
    *("versions:display-dependency-updates", "versions:display-plugin-updates", "versions:display-property-updates"),
    *("dependency:build-classpath", "help:all-profiles"),
)


def _mvn(it: Invocation) -> Iterator[Finding]:
    if it.has("-v", "--version", "-h", "--help") and not it.operands:
        yield nothing("It only tells about itself.")
        return
    for file in it.all_values("-s", "--settings", "-gs", "--global-settings", "-t", "--toolchains"):
        yield care("run", "Its settings come from another file.", file.text)
    for file in it.all_values("-f", "--file"):
        yield RunsFile(file, "maven")
    for value in it.all_values("-D", "--define"):
        name, _, text = value.text.partition("=")
        if name in ("exec.executable", "exec.args", "jvm", "argLine", "maven.ext.class.path", "exec.commandlineArgs"):
            yield danger("run", "A setting on the line makes Maven run something else.", value.text)
        elif name.startswith(("maven.wagon.http.ssl", "altDeploymentRepository", "maven.repo.remote")):
            yield danger("install", "It takes from, or gives to, another place.", value.text)
        elif name in ("output", "outputFile", "mdep.outputFile") and text:
            yield it.path("write", Arg(text))
    goals = [arg.text for arg in it.operands]
    short = [_short(goal) for goal in goals]
    if any(
        goal == "deploy"
        or goal.startswith(("deploy:", "release:", "site-deploy", "gpg:", "nexus-staging:", "jib:build", "scm:"))
        for goal in short
    ):
        yield danger("publish", "It publishes what it builds.")
    elif goals and all(goal in _MVN_LOOKS for goal in short):
        yield Effect("project", Risk.LOOK, "It tells about the project, and builds nothing.")
    elif goals and all(goal in ("clean", "clean:clean") for goal in short):
        yield Effect("delete", Risk.CHANGE, "It removes what was built, which is made again.")
    elif any(goal.startswith(("flyway:clean", "liquibase:dropAll")) for goal in short):
        yield danger("remote", "It throws away what is in the database.")
    else:
        yield care("project", "It builds the project, and its tests and plugins run then.")


def _short(goal: str) -> str:
    """``org.apache.maven.plugins:maven-dependency-plugin:3.6:tree`` is ``dependency:tree``."""
    parts = goal.split(":")
    if len(parts) < 3 or HOLE in goal:
        return goal
    name = parts[1].removeprefix("maven-").removesuffix("-maven-plugin").removesuffix("-plugin")
    is_known = parts[0] in ("org.apache.maven.plugins", "org.codehaus.mojo")
    return f"{name}:{parts[-1].partition('@')[0]}" if is_known else goal


_MVN = Spec(
    "It builds the project.",
    "* -D:none --define=none -f:none --file=none -s:none --settings=none -gs:none --global-settings=none -t:none"
    " --toolchains=none -pl: --projects= -P: --activate-profiles= -T: --threads= -rf: --resume-from= -l:write"
    " --log-file=write -am? -amd? -fae? -ff? -fn? -nsu? -ntp? -it? -itr? -cpu? -up? -npu? -npr? -llr? -C -c -e -o"
    " -q -U -v -B"
    " -X -N -V -h -b:",
    "none*",
    also=_mvn,
)

# --- Gradle

_GRADLE_LOOKS = frozenset(
    {"tasks", "dependencies", "projects", "help", "dependencyInsight", "buildEnvironment", "outgoingVariants"}
    | {"javaToolchains", "components", "model", "artifactTransforms", "resolvableConfigurations"}
)


def _gradle(it: Invocation) -> Iterator[Finding]:
    if it.has("-v", "--version", "-h", "--help", "-?", "--status") and not it.operands:
        yield nothing("It only tells about itself.")
        return
    for file in it.all_values("-I", "--init-script"):
        yield danger("run", "It runs a script before the build.", file.text)
    for file in it.all_values("-b", "--build-file", "-c", "--settings-file", "-p", "--project-dir", "--include-build"):
        if it.place(file) not in ("project", "whole"):
            yield care("run", "It runs a build from elsewhere.", file.text)
    for value in it.all_values("-D", "--system-prop"):
        if value.text.startswith(("org.gradle.jvmargs", "java.", "org.gradle.java.home", "systemProp.")):
            yield care("run", "A setting on the line changes what runs the build.", value.text)
    tasks = [arg.text.rpartition(":")[2] for arg in it.operands]
    if it.has("--stop"):
        yield Effect("process", Risk.CHANGE, "It ends Gradle's own helpers, which start again.")
    if any(
        task.lower().startswith(("publish", "upload", "release", "closeandrelease", "promote", "deploy", "bintray"))
        and task != "publishToMavenLocal"
        for task in tasks
    ):
        yield danger("publish", "It publishes what it builds.")
    elif any(task in ("flywayClean", "dropAll", "liquibaseDropAll") for task in tasks):
        yield danger("remote", "It throws away what is in the database.")
    elif tasks and _looks(it, tasks):
        yield Effect("project", Risk.LOOK, "It tells about the project, and builds nothing.")
    elif tasks and all(task == "clean" for task in tasks):
        yield Effect("delete", Risk.CHANGE, "It removes what was built, which is made again.")
    elif tasks or not it.has("--stop"):
        yield care("project", "It builds the project, and what the project says runs then.")


def _looks(it: Invocation, tasks: list[str]) -> bool:
    return all(task in _GRADLE_LOOKS for task in tasks) and HOLE not in "".join(tasks) and not it.is_dynamic


_GRADLE = Spec(
    "It builds the project.",
    "-vhqidsSw -a -t -u -m -I:none --init-script=none -b:none --build-file=none -c:none --settings-file=none -p:none"
    " --project-dir=none --include-build=none -D:none --system-prop=none -P: --project-prop= -x: --exclude-task="
    " -g:write --gradle-user-home=write --project-cache-dir=write -F: --console= --configuration= --dependency= --all"
    " --group= --no-daemon --daemon --stop --status --offline --parallel --no-parallel --stacktrace --info"
    " --debug --quiet"
    " --warn --scan?care --no-scan --continue --dry-run --rerun-tasks --refresh-dependencies --build-cache"
    " --no-build-cache"
    " --configuration-cache --no-configuration-cache --max-workers= --priority= --warning-mode= --tests= --task="
    " --variant="
    " --profile --write-locks?care --update-locks=care --configure-on-demand --watch-fs --no-watch-fs --foreground",
    "none*",
    also=_gradle,
)
_SBT = either(
    r"(?:--?\w[\w.=-]* )*(?:about|tasks|settings|projects|plugins|dependencyTree|-version|--script-version|show \S+)",
    "It tells about the project, and builds nothing.",
    care("project", "It builds the project, and what the project says runs then."),
)

COMMANDS: dict[str, Spec] = {
    "java": _JAVA,
    **each("mvn mvnw mvnd mvnDebug", _MVN),
    **each("gradle gradlew gradlew.bat", _GRADLE),
    **each("sbt sbtn", _SBT),
    **each("mill bleep scala-cli amper", BUILD),
    **each("lein boot", PROJECT),
    "ant": Spec(
        "It builds the project.",
        "* -f:file -file:file -buildfile:file -lib:config -p? -projecthelp? -version? -D? -logfile:write -l:write",
        does=(care("project", "It builds the project."),),
    ),
    "jshell": careful("run", "It starts an interpreter that waits for input."),
    "jps": known("It lists programs of Java.", "-qmlvV"),
    **each("jstat jinfo jcmd", careful("process", "It looks into a running process, whatever that holds.")),
    "jar": either(
        r"-?-?(?:tf|tvf|t|list|ft) \S+", "It lists what is packed.", care("write", "It packs or unpacks files.")
    ),
    "jdeps": known(
        "It tells what programs need.",
        "* -J:danger -dotoutput:write --dot-output=write --generate-module-info=write",
        "read*",
    ),
    "jlink": careful("write", "It makes a program."),
}
