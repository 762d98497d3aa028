"""Variables of the environment that decide what other programs run, and those that hold secrets."""

import re

from assent.policy.effects import Effect, care, danger
from assent.policy.shell.words import HOLE

# Commands that show what they are given.
PRINTERS = frozenset({"echo", "printf", "cat", "tee", "logger", "xxd", "od", "base64", "hexdump"})

_SECRET = re.compile(
    r"(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|API_KEY|ACCESS_KEY(?:_ID)?|PRIVATE_KEY"
    r"|SECRET_KEY|AUTH)"
    r"(?:$|_(?!FILE|PATH|NAME|ID$|TYPE|URL|COUNT|LIMIT))|_KEY$|^PGPASSWORD$|^DATABASE_URL$|PASSWORD$|TOKEN$|SECRET$",
    re.IGNORECASE,
)
# Loaded into, or run by, programs that look harmless.
_LOADS = re.compile(
    r"LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_\w+|BASH_ENV|ENV|PROMPT_COMMAND|PS[014]|PYTHON(?:STARTUP|PATH|HOME"
    r"|INSPECT|BREAKPOINT)|PERL5(?:LIB|OPT|DB)"
    r"|PERLLIB|RUBY(?:LIB|OPT)|NODE_OPTIONS|NODE_PATH|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS"
    r"|CLASSPATH"
    r"|GIT_(?:SSH|SSH_COMMAND|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|ASKPASS|PROXY_COMMAND|CONFIG\w*|DIR"
    r"|EXEC_PATH|TEMPLATE_DIR|WORK_TREE|ALLOW_PROTOCOL)"
    r"|(?:MAN|SYSTEMD_|AWS_|GH_|DELTA_|BAT_|PSQL_)?PAGER|KUBECTL_EXTERNAL_DIFF|KUBE_EDITOR|PSQL_EDITOR\w*"
    r"|CLOUDSDK_PYTHON\w*|LESS(?:OPEN|CLOSE)|EDITOR|VISUAL|BROWSER|SUDO_(?:ASKPASS|EDITOR)"
    r"|SSH_ASKPASS|RIPGREP_CONFIG_PATH"
    r"|TAR_OPTIONS|MAKEFLAGS|RUSTC(?:_WRAPPER|_WORKSPACE_WRAPPER)?|CARGO_BUILD_RUSTC\w*|CARGO_TARGET_\w+_(?:RUNNER|LINKER)|RUSTDOC|CC|CXX|LD|GOFLAGS"
    r"|GOENV|GOTOOLCHAIN|GOPROXY|GONOSUMCHECK|GONOSUMDB|GOSUMDB|GOINSECURE"
    r"|(?i:npm_config_\w+)|YARN_(?:RC_FILENAME|NPM_REGISTRY_SERVER|YARN_PATH|PLUGINS)"
    r"|PIP_(?:INDEX_URL|EXTRA_INDEX_URL|TRUSTED_HOST|CONFIG_FILE|FIND_LINKS|PROXY)|MAKEFILES|APT_CONFIG|BUNDLE_GEMFILE"
    r"|(?:GRADLE|MAVEN|SBT|JAVA|KOTLIN|SCALA|ANT|LEIN_JVM)_OPTS|MAVEN_ARGS|GEM_PATH|COMPOSER_HOME"
    r"|UV_(?:INDEX|INDEX_URL|EXTRA_INDEX_URL|DEFAULT_INDEX|CONFIG_FILE|INSECURE_HOST)|HOSTALIASES|GCONV_PATH|TERMINFO|ZDOTDIR|FZF_DEFAULT_\w+|SHELL|IFS|GLOBIGNORE"
    r"|BASH_FUNC_\w+|BASH_LOADABLES_PATH|INPUTRC"
    r"|OPENSSL_(?:CONF|ENGINES|MODULES)|CURL_HOME|WGETRC|SSH_SK_PROVIDER|LUA_(?:INIT|PATH|CPATH)\w*|VIMINIT|EXINIT"
    r"|MYVIMRC"
)
_GUARD = re.compile(
    r"ASSENT_\w+|CLAUDE_(?:CODE_DISABLE|CODE_HOOK|CONFIG_DIR|SETTINGS)\w*|CODEX_HOME|CLAUDE_CODE_SKIP\w*|DISABLE_HOOKS"
    # Each of these starts an agent without hooks, or with the settings of another folder.
    r"|(?:CLAUDE|QWEN)_CODE_(?:SIMPLE|SAFE_MODE)|(?:COPILOT|KIMI_CODE|VIBE|GROK|QWEN|GEMINI|GEMINI_CLI|CLINE|CURSOR|FACTORY)_HOME"
    r"|(?:OPENCODE|CRUSH|CURSOR|COPILOT|QWEN|CLINE|PI_CODING_AGENT|PI_AGENT|FACTORY)_(?:CONFIG\w*|DIR|DATA_DIR|GLOBAL_CONFIG)"
    r"|OPENCODE_(?:DISABLE|PERMISSION|PURE)\w*|(?:GEMINI_CLI|QWEN_CODE)_SYSTEM_(?:SETTINGS|DEFAULTS)_PATH"
    r"|(?:DCG|NAH|CC_SAFETY_NET|SAFETY_NET|TOOL_GATES|AGENTSHIELD|RAMPART|DIPPY|WARDEN|LEASH|PARRY)_\w+"
    r"|\w+_BYPASS|BYPASS_\w+|GOOSE_MODE|AIDER_YES\w*|GEMINI_SANDBOX|IS_SANDBOX"
)
# What is typed is kept for people to look at; these turn that off, or send it elsewhere.
_HISTORY = re.compile(r"HIST(?:FILE|CONTROL|IGNORE|SIZE|FILESIZE)|SAVEHIST|LESSHISTFILE")
_CHECKS = re.compile(r"SKIP|HUSKY(?:_SKIP\w*)?|PRE_COMMIT_ALLOW_NO_CONFIG|LEFTHOOK|SKIP_\w*(?:HOOK|CHECK)\w*")
_PROXY = re.compile(r"(?:https?|all|ftp|rsync)_proxy", re.IGNORECASE)
# Whom agents and libraries for models ask: with the questions go their keys, and what comes back is obeyed.
_MODELS = re.compile(
    r"(?:ANTHROPIC|CLAUDE(?:_CODE)?|OPENAI|AZURE_OPENAI|GEMINI|GOOGLE_(?:GEMINI|GENAI|VERTEX|AI)|MISTRAL|GROQ|COHERE|DEEPSEEK"
    r"|XAI|GROK|OPENROUTER|LITELLM|BEDROCK|VERTEX|QWEN|DASHSCOPE|MOONSHOT|KIMI|TOGETHER|PERPLEXITY|FIREWORKS|CEREBRAS|NVIDIA"
    r"|HF|HUGGINGFACE|COPILOT|CODEX|AIDER|CURSOR|GOOSE|LLM)"
    r"(?:_\w+)?_(?:BASE_?URL|API_?BASE(?:_URL)?|API_?URL|API_?HOST|API_?ENDPOINT|ENDPOINT(?:_URL)?|BASE|HOST|PROXY(?:_URL)?|URL)",
    re.IGNORECASE,
)
_THEIR_OWN = re.compile(
    r"https://(?:[\w-]+\.)*(?:anthropic|openai|azure|googleapis|google|mistral|groq|cohere|deepseek|openrouter|amazonaws|x"
    r"|aliyuncs|moonshot|together|perplexity|fireworks|cerebras|nvidia|huggingface|github|githubcopilot)\.(?:com|ai|xyz|co|cn)"
    r"(?::\d+)?(?:/\S*)?",
    re.IGNORECASE,
)
_LOCAL = re.compile(r"(?:\w+://)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?/?|")
_AT_HOME = re.compile(r"$|(?:\w+://)?(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|host\.docker\.internal)(?::\d+)?(?:/|$)")
# Git writes what it does to where these say: nowhere, to the terminal, or into a file.
_TRACES = re.compile(r"GIT_(?:TRACE\w*|REDIRECT_STD(?:OUT|ERR))")
_NO_FILE = re.compile(r"\d?|true|false|yes|no|on|off", re.IGNORECASE)
# Folders in which any user may put programs.
_OPEN_PATH = re.compile(r"(?:^|:)(?:\.{0,2}|/tmp\b[^:]*|/var/tmp\b[^:]*|/dev/shm\b[^:]*)(?=:|$)")
# Folders that programs load from: a project may say which of its own.
_FOLDERS = re.compile(
    r"PYTHONPATH|NODE_PATH|(?:DY)?LD_LIBRARY_PATH|RUBYLIB|PERL5LIB|PERLLIB|CLASSPATH|GIT_(?:DIR|WORK_TREE)|LUA_C?PATH"
)
_SYSTEM = re.compile(r"/(?:usr|lib\d*|opt)(?:/.*)?")
# Words that may stand in them without a change that matters. Each word of a value is looked at by itself.
_HARMLESS = tuple(
    (re.compile(name), re.compile(word))
    for name, word in (
        (r"\w*PAGER", r"cat|less|more|head|bat|-[RFXSKiN]+"),
        (r"\w*(?:EDITOR|VISUAL)", r"true|:|cat|vim?|nvim|nano|emacs|code|--wait"),
        (r"BROWSER", r"none|true|echo"),
        (r"\w*ASKPASS", r"true|echo"),
        (r"IFS", r".*"),
        (r"GOTOOLCHAIN", r"local|auto|go1[\w.+]*"),
        (r"GOPROXY", r"(?:(?:https://(?:proxy\.golang\.org|goproxy\.(?:io|cn))|direct|off)[,|]?)+"),
        (r"MAVEN_ARGS", r"-[BqeXUo]|-ntp|--batch-mode|--no-transfer-progress"),
        (
            r"(?i:npm_config_registry)|(?:PIP|UV)_\w*INDEX\w*|YARN_NPM_REGISTRY_SERVER",
            r"https://(?:registry\.npmjs\.org|registry\.yarnpkg\.com|pypi\.org|test\.pypi\.org|download\.pytorch\.org)(?:/.*)?",
        ),
        # Where version managers keep what they install, by default.
        (
            r"(?:NVM|PYENV|RBENV|SDKMAN|ASDF|VOLTA|DENO|BUN|CARGO|RUSTUP|PNPM)_(?:DIR|ROOT|HOME|INSTALL)",
            r"(?:/home/[^/]+|/Users/[^/]+|/root)/(?:\.(?:nvm|pyenv|rbenv|sdkman|asdf|volta|deno|bun|cargo|rustup)"
            r"|\.local/share/pnpm|Library/pnpm)",
        ),
        (r"GOPATH", r"(?:/home/[^/]+|/Users/[^/]+|/root)/\.?go"),
        (r"GOROOT", r"/usr/(?:local/go|lib/go[\w.-]*)"),
        (r"JAVA_HOME", r"/(?:usr/lib/jvm|Library/Java/JavaVirtualMachines|opt/(?:homebrew/opt|java))/[\w./@+-]+"),
        (r"CC|CXX|LD", r"(?:gcc|clang|cc|g\+\+|clang\+\+|c\+\+|ld|lld|mold)(?:-\d+)?"),
        (r"\w*RUSTC_WRAPPER", r"sccache"),
        (r"SHELL", r"(?:/usr)?(?:/bin/)?(?:ba|z|da|fi)?sh"),
        (r"ENV", r"[\w-]*"),
        (r"PS[014]", r"[^$`]*"),
        (
            r"NODE_OPTIONS",
            r"--(?!require|import|loader|experimental-loader|inspect|eval|env-file)[\w-]+(?:=[\w.]+)?",
        ),
        (
            r"\w*JAVA\w*_OPTIONS|\w+_OPTS|MAVEN_ARGS",
            r"-(?:X(?:mx|ms|ss|mn)\w+|XX:[+-]\w+|D(?:file\.encoding|java\.awt\.headless)=[\w-]+"
            r"|D(?!java\.|jdk\.|sun\.|maven\.ext|org\.gradle\.)[\w.-]+=[\w.:,-]*)",
        ),
        (r"MAKEFLAGS", r"-?(?:j\d*|s|k|-no-print-directory)|\d+"),
        (r"GOFLAGS", r"-(?:mod=\w+|count=\d+|v|race|tags=[\w,]+|buildvcs=\w+)"),
        (r"PYTHON(?:BREAKPOINT|INSPECT)", r"0"),
        # The module of a kind of warning is loaded; those without a dot are built in.
        (r"PYTHONWARNINGS", r"[^.]*"),
        (r"(?:UV|PIP|PIPX|PDM|POETRY|HATCH|TOX)\w*_PYTHON", r"(?:python|pypy|cpython)?-?[\d.]*"),
        (
            r"GIT_SSH_COMMAND",
            r"ssh|-[vqT46]+|-o|(?:BatchMode|StrictHostKeyChecking)=(?:yes|accept-new)|ConnectTimeout=\d+",
        ),
        (r"GIT_ALLOW_PROTOCOL", r"(?:https?|ssh|git|file)(?::(?:https?|ssh|git|file))*"),
        (r"GIT_CONFIG_(?:NOSYSTEM|GLOBAL|SYSTEM)", r"[01]|true|/dev/null"),
        (
            r"(?i:npm_config_(?:loglevel|fund|audit|progress|update_notifier|color|legacy_peer_deps|yes|offline"
            r"|prefer_offline|cache|engine_strict|ignore_scripts|save_exact))",
            r"[\w-]*",
        ),
    )
)


# Where tools of clouds, clusters and databases find their settings, and whom they ask.
_ELSEWHERE = re.compile(
    r"KUBECONFIG|(?:DOCKER|CONTAINER|BUILDKIT)_HOST|DOCKER_CONFIG|AWS_(?:CONFIG_FILE|SHARED_CREDENTIALS_FILE"
    r"|ENDPOINT_URL\w*)"
    r"|TF_CLI_(?:CONFIG_FILE|ARGS\w*)|HELM_(?:PLUGINS|KUBE\w*|CONFIG_HOME)|PSQLRC|PG(?:SERVICEFILE|SYSCONFDIR|PASSFILE)"
    r"|MYSQL_HOME|ANSIBLE_(?:CONFIG|LIBRARY|\w+_PLUGINS|INVENTORY|ROLES_PATH)|CLOUDSDK_CONFIG|AZURE_CONFIG_DIR"
    r"|(?:VAULT|BAO|NOMAD)_ADDR|CONSUL_HTTP_ADDR|PULUMI_(?:HOME|BACKEND_URL)|ETCDCTL_ENDPOINTS|ARGOCD_SERVER"
)


# Names by which programs are told what to load, to run, to obey or to connect to, whichever program it is.
_STEERS = re.compile(
    r"\w*(?:OPTIONS?|OPTS?|FLAGS|ARGS|PATH|HOME|DIRS?|ROOT|CONFIG|CONF|CFG|RC|RCPATH|FILE|FILENAME|HOOKS?|PLUGINS?|PRELOAD|INIT"
    r"|PROFILE(?:_USER)?|STARTUP|LIB|LIBRARY|LIBRARIES|MODULES?|LOADER|COMMAND|CMD|SSH|RSH|EDITOR|PAGER|SHELL|WRAPPER|EXEC"
    r"|PROGRAM|TOOL|TOOLCHAIN|RUNNER|HELPER|ASKPASS|AGENT|HOST|HOSTS|URL|URI|ENDPOINT|SERVER|PROXY|REGISTRY|INDEX|CONTEXT|SOCK"
    r"|SOCKET|ENV|ENVIRONMENT|DIRECTORY|DIRECTORIES|SOURCE|SCRIPT|TEMPLATE|CARGO|EDIT|PREFIX|APPNAME|VIRTUAL_ENV|LESS|UNZIP|GZIP"
    r"|ZIPOPT|MAGIC|TERMCAP|SHELLOPTS|BASHOPTS|RUN_AS_NODE|MERGE|PROG|USERBASE|EXECUTABLE|COMPILER|ENVIRON|HISTORY)\d*"
    r"|LESSKEY\w*|NODE_REDIRECT_WARNINGS|NODE_V8_COVERAGE|LD_DEBUG_OUTPUT|CARGO_ALIAS_\w+|PARALLEL|CTAGS|VIM|VIMRUNTIME|PERLDOC"
    r"|ZIP|BZIP2?|XZ_DEFAULTS|DEBUGINFOD_URLS|GOAUTH|GOPACKAGESDRIVER|(?:UV|PIP|PIPX|PDM|POETRY|HATCH|TOX|RETICULATE)\w*_PYTHON"
    r"|PIP_LOG|GH_BROWSER|TAPE|GHCRTS|MALLOC_TRACE|PYTHONWARNINGS|COMPOSER|HG",
    re.IGNORECASE,
)
_TAME = re.compile(
    r"(?:AWS|GCP|AZURE|KUBE|TF|CLOUDSDK_\w+)_(?:PROFILE|DEFAULT_PROFILE|CONTEXT|WORKSPACE)|(?:NODE|RAILS|RACK|APP|FLASK|MIX|GO|VITE)_ENV"
    r"|ENV|GITHUB_(?!(?:API|SERVER|GRAPHQL)_URL)\w+|CI_\w+|TMPDIR|PWD|OLDPWD|GIT_OPTIONAL_LOCKS|PYTHONDONTWRITEBYTECODE|RUST_LIB_BACKTRACE|SPACK_ENV|LESSCHARSET"
)


def is_secret(name: str) -> bool:
    return _SECRET.search(name) is not None


def forgotten(name: str) -> list[Effect]:
    """What unsetting a variable does."""
    if _GUARD.fullmatch(name):
        return [danger("tamper", f"{name} steers the agent or its guard.", name)]
    return _history(name, [""]) if _HISTORY.fullmatch(name) else []


def _history(name: str, values: list[str]) -> list[Effect]:
    keeps = name in ("HISTSIZE", "HISTFILESIZE", "SAVEHIST") and all(
        value.lstrip("-").isdigit() and int(value) for value in values
    )
    return [] if keeps else [danger("tamper", "It hides what is typed from the shell's history.", name)]


def assigned(name: str, values: list[str], project: str = "", *, exported: bool = True) -> list[Effect]:
    """What setting a variable does to the programs that run with it. One of the shell's own reaches none of them."""
    if _GUARD.fullmatch(name):
        return [danger("tamper", f"{name} steers the agent or its guard.", name)]
    if _HISTORY.fullmatch(name):
        return _history(name, values)
    if _CHECKS.fullmatch(name):
        return [care("tamper", f"{name} switches checks of the project off.", name)]
    if _PROXY.fullmatch(name) and not all(_LOCAL.fullmatch(value) for value in values):
        return [care("send", f"{name} leads connections through another machine.", name)]
    if _MODELS.fullmatch(name) and (effect := _redirected(name, values)):
        return [effect]
    if _TRACES.fullmatch(name) and not all(_NO_FILE.fullmatch(value) for value in values):
        return [_traced(name, values)]
    if name == "BASH_XTRACEFD":
        return [danger("secret", "It logs every command of the shell, secrets included.", name)]
    if name == "SSH_AUTH_SOCK":
        is_known = all(HOLE not in value for value in values)
        return [(danger if is_known else care)("secret", "It uses keys that another agent for keys holds.", name)]
    if _ELSEWHERE.fullmatch(name):
        return [care("run", f"{name} makes a tool take its settings from elsewhere, or ask another server.", name)]
    if name in ("HOME", "XDG_CONFIG_HOME"):
        return [care("run", "It makes programs take their settings from elsewhere.", name)]
    if name == "PATH" and any(_OPEN_PATH.search(value) for value in values):
        return [danger("run", "It lets programs be found where any user may put them.", name)]
    if name == "PATH":
        return [care("run", "It changes where programs are found.", name)]
    if any(pattern.fullmatch(name) and _is_all(word, values) for pattern, word in _HARMLESS):
        return []
    if not _LOADS.fullmatch(name):
        steers = exported and _STEERS.fullmatch(name) and not _TAME.fullmatch(name)
        if steers and not all(_NO_FILE.fullmatch(value) for value in values):
            return [care("run", f"By its name, {name} says what programs load, run or connect to.", name)]
        return []
    if _FOLDERS.fullmatch(name) and all(_is_near(folder, project) for each in values for folder in each.split(":")):
        return [care("run", f"{name} makes programs load what lies in the project or in the system.", name)]
    return [danger("run", f"{name} makes other programs load or run something.", name)]


def _redirected(name: str, values: list[str]) -> Effect | None:
    """Away from the company that the name is of."""
    foreign = [value for value in values if not (_AT_HOME.match(value) or _THEIR_OWN.fullmatch(value))]
    if not foreign:
        return None
    is_known = any("://" in value and HOLE not in value.partition("://")[2][:1] for value in foreign)
    why = f"{name} sends what an agent asks, and its key, to another machine."
    return (danger if is_known else care)("send", why, name)


def _traced(name: str, values: list[str]) -> Effect:
    if all(value.startswith("/tmp/") and ".." not in value for value in values):  # noqa: S108 - the name of a place
        return care("write", f"{name} makes git write down what it does.", values[0])
    return danger("write", f"{name} makes git write into a file of this name.", values[0])


def _is_near(folder: str, project: str) -> bool:
    """In the project, in the system, or what the variable held before."""
    if folder.startswith("/"):
        is_inside = folder == project or (bool(project) and folder.startswith(f"{project}/"))
        return ".." not in folder and (is_inside or _SYSTEM.fullmatch(folder) is not None)
    return folder.strip(HOLE) == "" or not (folder.startswith(("~", HOLE)) or ".." in folder)


def _is_all(word: re.Pattern[str], values: list[str]) -> bool:
    return all(word.fullmatch(each) for value in values for each in value.split())
