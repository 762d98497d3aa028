"""What to look for in programs of other languages: the functions that do something, by what they do.

Names are found wherever they stand as a word: one in a text or a comment is found, too, which errs on the safe
side."""

from msgspec import Struct


class Language(Struct, frozen=True):
    # Functions whose first texts are a command line, and what must be mentioned before they count.
    runs: str = ""
    needs: str = ""
    # Functions whose first text is a path.
    reads: str = ""
    writes: str = ""
    deletes: str = ""
    # Functions and modules, as expressions.
    evaluates: str = ""
    connects: str = ""
    sends: str = ""
    dangerous: str = ""
    # Where variables of the environment are named; the name is the group.
    variable: str = ""
    all_variables: str = ""
    # Text between backticks is run.
    backticks: bool = False
    # Words of programs that only calculate and print.
    harmless: str = ""


_C_LIKE = "if else for while return true false null and or not in do end then unless until case when new"

LANGUAGES: dict[str, Language] = {
    "javascript": Language(
        runs="exec execSync spawn spawnSync execFile execFileSync fork",
        needs=r"child_process|Bun\.spawn|execa|zx|shelljs",
        reads="readFile readFileSync createReadStream readdir readdirSync existsSync statSync lstatSync opendirSync"
        " readTextFile readTextFileSync readDir file",
        writes="writeFile writeFileSync appendFile appendFileSync createWriteStream mkdir mkdirSync rename renameSync"
        " copyFile copyFileSync cp cpSync chmod chmodSync chown chownSync symlink symlinkSync link linkSync truncate"
        " truncateSync openSync utimesSync writeTextFile writeTextFileSync mkdtempSync outputFile ensureFile",
        deletes="unlink unlinkSync rm rmSync rmdir rmdirSync remove removeSync rimraf emptyDirSync",
        evaluates=r"\beval\b|\bFunction\s*\(|\bvm\b|\brunIn\w*Context|\bconstructor\b|\bimport\s*\((?!\s*['\"`])|\bmainModule\b"
        r"|\bimport\b[^;\n]{0,120}['\"`](?:https?|data|blob):|\bgetBuiltinModule\b|\b_load\b|\bglobalThis\s*\[|\bprocess\s*\[|\brequire\s*\[|\bReflect\b|\bProxy\b",
        connects=r"\bfetch\s*\(|['\"`](?:node:)?(?:https?|net|tls|dgram|http2|dns|ws|axios|got|node-fetch|undici"
        r"|request)['\"`]"
        r"|\bWebSocket\b|\bXMLHttpRequest\b|\bDeno\.(?:connect|listen|serve)|\bBun\.(?:connect|listen|serve)",
        sends=r"\bmethod\s*:\s*['\"`](?!GET|HEAD)|\.(?:post|put|patch|delete|send|write|request)\s*\(|\bbody\s*:",
        dangerous=r"\bprocess\.(?:binding|dlopen|kill|setuid|setgid|_debugProcess)|\bBun\.(?:spawn|\$|ffi)"
        r"|\bDeno\.(?:run|Command|dlopen)"
        r"|\bffi\b|['\"`](?:node:)?(?:worker_threads|cluster|inspector|repl|v8)['\"`]|\bwhile\s*\(\s*(?:1"
        r"|true)\s*\).{0,200}fork",
        variable=r"\bprocess\.env(?:\.(\w+)|\[\s*['\"`](\w+)['\"`]\s*\])|\bDeno\.env\.get\(\s*['\"`](\w+)['\"`]"
        r"|\bBun\.env\.(\w+)",
        all_variables=r"\bprocess\.env\b(?!\s*[.\[])|\bprocess\.env\[\s*[^'\"`\s]|\bDeno\.env\.toObject"
        r"|\bBun\.env\b(?!\s*[.\[])",
    ),
    "perl": Language(
        runs="system exec qx readpipe",
        reads="opendir stat lstat readlink",
        writes="mkdir rename chmod chown symlink link truncate utime mkpath make_path copy move",
        deletes="unlink rmdir rmtree remove_tree",
        evaluates=r"\beval\b|\brequire\b|\bdo\s*[\"'(<]|\bInline\b|/[gimsxr]*e[gimsxre]*\s*(?:[;}]|$)",
        connects=r"\bIO::Socket|\bsocket\b|\bLWP\b|\bHTTP::|\bNet::|\bMojo::|\bconnect\b|\bgetstore\b",
        sends=r"\bpost\b|\bsend\b|\bsyswrite\b|\bprint\s+\$?\w+\s+\S|->\s*(?:print|printf|say|write)\b",
        dangerous=r"\bfork\b|\bsyscall\b|\bkill\b|\bsetuid\b|\bioctl\b|\bDynaLoader\b|\bXSLoader\b|\bchroot\b"
        r"|\$[<>]\s*=|\bpack\s*\("
        r"|\bopen\b[^;]{0,200}(?:\||-\|)|\bIPC::",
        variable=r"\$ENV\{\s*['\"]?(\w+)['\"]?\s*\}",
        all_variables=r"%ENV\b|\bkeys\s+%ENV",
        backticks=True,
        harmless="",
    ),
    "ruby": Language(
        runs="system exec spawn popen capture2 capture2e capture3 popen3 popen2 sh",
        reads="File.read IO.read File.readlines File.open File.new IO.readlines Dir.glob Dir.entries"
        " Dir.children File.stat"
        " File.exist? YAML.load_file JSON.load_file",
        writes="File.write IO.write File.rename File.chmod File.symlink File.truncate FileUtils.cp FileUtils.mv"
        " FileUtils.mkdir"
        " FileUtils.mkdir_p FileUtils.touch FileUtils.chmod FileUtils.ln_s FileUtils.cp_r FileUtils.install Dir.mkdir",
        deletes="File.delete File.unlink FileUtils.rm FileUtils.rm_r FileUtils.rm_rf FileUtils.rm_f FileUtils.remove"
        " FileUtils.remove_dir FileUtils.remove_entry Dir.rmdir Dir.delete rm_rf",
        evaluates=r"\beval\b|\binstance_eval\b|\bclass_eval\b|\bmodule_eval\b|\bsend\s*\(|\b__send__\b"
        r"|\bpublic_send\b|\bMarshal\b"
        r"|\bload\s*[\"'(]|\bBinding\b|\bbinding\b|\bmethod\s*\(|\bRubyVM\b|\bconst_get\b",
        connects=r"\bNet::|\bTCPSocket\b|\bUDPSocket\b|\bSocket\b|\bopen-uri\b|\bURI\b|\bHTTParty\b|\bFaraday\b"
        r"|\bTCPServer\b",
        sends=r"\bpost\w*\b|\.(?:print|puts|write|send)\b",
        dangerous=r"\bfork\b|\bsyscall\b|\bProcess\.(?:kill|setsid|daemon|uid|spawn)|\bFiddle\b|\bDL\b"
        r"|%x\s*[\[{(<|!/]|\bPTY\b|\bKernel\b"
        r"|\bBase64\.\w*decode|\bunpack1?\b|\bOpen3\b"
        r"|\.(?:delete_all|destroy_all|truncate_tables?|drop_table|drop_database)\b"
        r"|(?i:[\"']\s*(?:drop\s+(?:table|database)|truncate\s+table|delete\s+from\s+\w+\s*[\"';]))",
        variable=r"\bENV(?:\[\s*['\"](\w+)['\"]\s*\]|\.fetch\(\s*['\"](\w+)['\"])",
        all_variables=r"\bENV\b(?!\s*[\[.])|\bENV\.(?:to_h|each|map|inspect|select|sort|keys|values)",
        backticks=True,
        harmless=f"{_C_LIKE} puts p print pp RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE Gem VERSION Time now Date"
        " today to_s to_i to_f"
        " to_a map each select reduce sum length size sort uniq reverse join split upcase downcase times inspect"
        " Math sqrt"
        " PI max min first last strip chomp gsub sub include? nil",
    ),
    "php": Language(
        runs="system exec shell_exec passthru popen proc_open pcntl_exec",
        reads="file_get_contents file readfile fopen scandir glob file_exists is_file is_dir parse_ini_file"
        " highlight_file"
        " show_source simplexml_load_file opendir",
        writes="file_put_contents mkdir rename copy chmod chown chgrp symlink link touch move_uploaded_file tempnam",
        deletes="unlink rmdir",
        evaluates=r"\beval\b|\bassert\s*\(|\bcreate_function\b|\bcall_user_func\w*|\binclude(?:_once)?\b"
        r"|\brequire(?:_once)?\b"
        r"|\bunserialize\b|\bpreg_replace\b.{0,200}/e|\$\w+\s*\(|\bReflection\w+|\barray_map\s*\(\s*['\"]",
        connects=r"\bfsockopen\b|\bpfsockopen\b|\bcurl_\w+|\bstream_socket\w*|\bsocket_\w+|https?://|\bftp_\w+"
        r"|\bSoapClient\b",
        sends=r"\bCURLOPT_POST|\bmail\s*\(|\bfwrite\b|\bfputs\b|\bsocket_(?:send|write)",
        dangerous=r"\bpcntl_\w+|\bposix_(?:kill|setuid|setgid)|\bFFI\b|\bdl\s*\(|\bputenv\b|\bini_set\b"
        r"|\bbase64_decode\b|\bstr_rot13\b"
        r"|\bgzinflate\b|\bhex2bin\b|(?:::|->)(?:truncate|forceDelete|dropIfExists|dropAllTables)\s*\("
        r"|(?:::query\(\)|table\([^)]*\))->delete\s*\(",
        variable=r"\bgetenv\(\s*['\"](\w+)['\"]|\$_(?:ENV|SERVER)\[\s*['\"](\w+)['\"]",
        all_variables=r"\bgetenv\(\s*\)|\$_ENV\b(?!\s*\[)|\$_SERVER\b(?!\s*\[)|\bphpinfo\b|\$GLOBALS\b",
        backticks=True,
        harmless=f"{_C_LIKE} echo print var_dump print_r PHP_VERSION PHP_OS PHP_EOL phpversion json_encode"
        " json_decode count strlen"
        " strtoupper strtolower date time implode explode array_map range sprintf printf PHP_INT_MAX ini_get"
        " php_sapi_name"
        " extension_loaded get_loaded_extensions md5 sha1 sqrt pi max min round",
    ),
    "lua": Language(
        runs="os.execute io.popen",
        reads="io.lines",
        writes="io.open io.output os.rename",
        deletes="os.remove",
        evaluates=r"\bload(?:string|file)?\b|\bdofile\b|\brequire\b|\bsetfenv\b|\bdebug\b|\b_G\b|\bpackage\b|\b_ENV\b",
        connects=r"\bsocket\b|\bhttp\b",
        dangerous=r"\bffi\b",
        variable=r"\bos\.getenv\s*\(?\s*['\"](\w+)['\"]",
        harmless=f"{_C_LIKE} print _VERSION math string table pi floor sqrt format upper lower rep len concat"
        " local function io write",
    ),
    "applescript": Language(
        runs="script",
        needs=r"(?i)\bdo\s+shell\s+script\b",
        evaluates=r"(?i)\brun\s+script\b|\bload\s+script\b|\bdoShellScript\b|\bObjC\b|\$\.",
        sends=r"(?i)\bsend\b",
        dangerous=r"(?i)\bkeystroke\b|\bkey\s+code\b|\bdo\s+script\b|\bdelete\b|\bempty\b"
        r"|\bwith\s+administrator\b|\bshut\s*down\b"
        r"|\brestart\b|\bpassword\b|\bSystem\s+Events\b|\bclick\b|\bwrite\b|\bclipboard\b",
    ),
    "tcl": Language(
        runs="exec spawn",
        deletes="delete",
        evaluates=r"\beval\b|\bsource\b|\bsubst\b|\buplevel\b|\bpackage\b|\bload\b|\binterp\b",
        connects=r"\bsocket\b|\bhttp\b",
        dangerous=r"\bopen\s+[\"{]?\s*\||\bsend\b",
        variable=r"\$env\((\w+)\)",
        all_variables=r"\barray\s+get\s+env\b|\bparray\s+env\b",
    ),
    "r": Language(
        runs="system system2 shell shell.exec pipe",
        reads="readLines read.csv read.table readRDS file.exists list.files scan readChar",
        writes="writeLines write.csv write.table saveRDS save sink file.copy file.rename dir.create cat"
        " file.create file.append",
        deletes="unlink file.remove",
        evaluates=r"\beval\s*\(|\bparse\s*\(|\bsource\s*\(|\bdo\.call\b|\bdyn\.load\b|\b\.Call\b|\bdevtools\b"
        r"|\bremotes\b",
        connects=r"\bdownload\.file\b|\burl\s*\(|\bhttr2?\b|\bRCurl\b|\bsocketConnection\b|\binstall\.packages\b"
        r"|\bcurl\b",
        sends=r"\bPOST\b|\bPUT\b",
        variable=r"\bSys\.getenv\(\s*['\"](\w+)['\"]",
        all_variables=r"\bSys\.getenv\(\s*\)",
        harmless=f"{_C_LIKE} print cat R.version.string version sessionInfo packageVersion library mean sum sqrt"
        " c seq rnorm head"
        " summary length max min paste R.version",
    ),
    "julia": Language(
        runs="run pipeline",
        reads="read readlines readdir isfile",
        writes="write mkdir mkpath mv cp touch chmod symlink open",
        deletes="rm",
        evaluates=r"\beval\b|\binclude\b|\bMeta\b|\bccall\b|\bBase\b|\bCore\b|\b@eval\b|\bPyCall\b",
        connects=r"\bdownload\b|\bDownloads\b|\bHTTP\b|\bconnect\b|\bSockets\b|\bPkg\b",
        variable=r"\bENV\[\s*\"(\w+)\"",
        all_variables=r"\bENV\b(?!\[)",
        backticks=True,
        harmless=f"{_C_LIKE} println print VERSION sqrt sum length pi max min map show typeof",
    ),
    "powershell": Language(
        reads="Get-Content gc cat type Get-ChildItem gci ls dir Test-Path Select-String",
        writes="Set-Content Add-Content Out-File New-Item ni Copy-Item cp Move-Item mv Rename-Item Export-Csv"
        " Set-ItemProperty",
        deletes="Remove-Item ri rm del rmdir erase Clear-Content Clear-Item Remove-ItemProperty",
        evaluates=r"(?i)\biex\b|Invoke-Expression|\[scriptblock\]|Invoke-Command|\bicm\b|Add-Type|\[Reflection"
        r"|\.Invoke\(|&\s*[\$(]",
        connects=r"(?i)Invoke-WebRequest|\biwr\b|Invoke-RestMethod|\birm\b|Net\.WebClient|\bcurl\b|\bwget\b"
        r"|Start-BitsTransfer|Sockets",
        sends=r"(?i)-Method\s+(?!Get)|-Body\b|-InFile\b|Upload",
        dangerous=r"(?i)Start-Process|\bsaps\b|Stop-Process|Stop-Computer|Restart-Computer|Set-ExecutionPolicy"
        r"|FromBase64String"
        r"|Register-ScheduledTask|New-Service|Format-Volume|Clear-Disk|Set-MpPreference|Get-Credential"
        r"|ConvertTo-SecureString|-Verb\s+RunAs",
        variable=r"\$env:(\w+)",
        all_variables=r"(?i)\benv:(?:\s*(?:$|[|;)])|\*)|GetEnvironmentVariables",
    ),
    # Whatever language it is: the functions that start programs or delete, by the names they mostly have.
    "any": Language(
        runs="system exec execSync execFileSync spawn spawnSync popen shell_exec passthru proc_open os.system os.popen"
        " os.execute subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen"
        " callCommand shell sh run System.cmd System.shell os:cmd Sys.command shell-command run-program"
        " uiop:run-program Command ProcessBuilder qx cmd syscmd esyscmd",
        deletes="rmtree shutil.rmtree rm_rf FileUtils.rm_rf FileUtils.rm_r File.rm_rf! File.rm_rf rmSync rimraf unlink"
        " delete-directory deleteRecursively remove_dir_all Directory.Delete File.Delete FileUtils.deleteDirectory"
        " os.RemoveAll os.remove.all deleteDir delete-tree",
        dangerous=r"\.(?:drop_all|delete_all|destroy_all|dropDatabase|truncate)\b\s*\(|::truncate\s*\("
        r"|\b(?:Repo|Model|User)\.delete_all\b"
        r"|(?i:[\"'`]\s*(?:drop\s+(?:table|database|schema)|truncate\s+table|delete\s+from\s+\w+\s*[\"'`;]))",
    ),
    "other": Language(
        evaluates=r"\beval\b|\bEvaluate?\b|\beval_(?:string|file|quoted)\b|\bload-(?:string|file|url)\b|\bMix\.install\b|\bfetch(?:Tarball|Git|url|zip)\b|\bgetFlake\b",
        connects=r"https?://|\bsocket\b|\bhttp\w*\b",
        dangerous=r"\.execute\s*\(|\bRuntime\b|\bProcessBuilder\b|\bProcess\b|\bSystem\.cmd\b|\bos:cmd\b|:os\.cmd"
        r"|\bcallCommand\b"
        r"|\breadProcess\b|\bsystem\b|\bshell-command\b|\brun-program\b|\bsubprocess\b|\bexec\w*\b|\bsh\b"
        r"|\bdelete\w*\b|\bremove\w*\b"
        r"|\bunlink\b|\brm(?:_rf|dir)?\b|\bFile\.(?:write|rm)\b|\bgetenv\b|\bunsafe\w*\b",
    ),
}
