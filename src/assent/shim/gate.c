/* The native shim: forward.py's usual way, without the start of an interpreter.

    <state>/shim/python -I -S <state>/shim/hook.py SOCKET HARNESS EVENT DEADLINE SILENCE

The hub places the compiled program as <state>/shim/python, where entries look for the interpreter, and a link to the
interpreter beside it. One hub that is there and answers is all this program knows. Before it has read stdin, anything
else makes it become the Python shim (`exec`), which finds everything as it was. After that the Python shim is given the
payload through a pipe, and what was already done in more arguments: it goes on under the same request id.

It allocates nothing, so there is nothing to free or to run out of. */

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#ifndef SOURCE_DIGEST
#define SOURCE_DIGEST "unknown"
#endif
/* The same clock as Python's time.monotonic. */
#ifdef __APPLE__
#define STEADY CLOCK_UPTIME_RAW
#else
#define STEADY CLOCK_MONOTONIC
#endif

#define LARGEST_PAYLOAD ((size_t)16 << 20)
#define LARGEST_REPLY ((size_t)4 << 20)
#define LARGEST_HEAD ((size_t)256 << 10)
#define LARGEST_TABLE ((size_t)128 << 10)
#define CHUNK ((size_t)65536)
#define LONGEST_NAME 128
#define LONGEST_WAIT 1e7
#define TABLE_VERSION "assent 1\n"
#define RUN "ASSENT_RUN"

#define PASSTHROUGH "{\"action\":\"passthrough\"}}"
#define JSON_OUTPUT "{\"action\":\"json_output\",\"stdout_json\":"
#define BLOCK "{\"action\":\"block_with_stderr\",\"stderr\":\""

extern char **environ;

struct span {
    const char *at;
    size_t length;
};

struct text {
    char *at;
    size_t size, length;
    bool is_bad; /* it did not fit, or was no UTF-8 */
};

/* The one run of this process. */
static char **argv_;
static char *socket_path, *harness, *event;
static double started, waits, silence;
static long long ts;
static char id[17];
static unsigned held;
static int sock = -1;
static bool is_stdin_touched;
static struct span session;

static char payload[LARGEST_PAYLOAD + 1];
static size_t payload_length;
static char reply[LARGEST_REPLY + CHUNK];
static char head_memory[LARGEST_HEAD], rest_memory[LARGEST_HEAD], table[LARGEST_TABLE + 1];

static double now(void) {
    struct timespec at;
    clock_gettime(STEADY, &at);
    return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static void put(int fd, const char *data, size_t length) {
    while (length) {
        ssize_t n = write(fd, data, length);
        if (n >= 0) {
            data += n;
            length -= (size_t)n;
        } else if (errno == EAGAIN) { /* half a decision counts as none */
            int flags = fcntl(fd, F_GETFL);
            if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) < 0) return;
        } else if (errno != EINTR) {
            return; /* the reader is gone */
        }
    }
}

static void complain(const char *why) {
    const char *parts[] = {"assent: ", why, "; this event was not judged. Run: assent doctor\n"};
    for (size_t i = 0; i < 3; i++) put(2, parts[i], strlen(parts[i]));
}

/* Text ------------------------------------------------------------------------------------------------------------ */

static bool starts(struct span text, const char *with) {
    return text.length >= strlen(with) && !memcmp(text.at, with, strlen(with));
}

static bool ends(struct span text, const char *with) {
    return text.length >= strlen(with) && !memcmp(text.at + text.length - strlen(with), with, strlen(with));
}

static struct span after(struct span text, size_t count) {
    return (struct span){text.at + count, text.length - count};
}

/* As bytes.strip() of Python counts it. */
static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static struct span without_space(struct span text) {
    while (text.length && is_space(*text.at)) text = after(text, 1);
    while (text.length && is_space(text.at[text.length - 1])) text.length--;
    return text;
}

static const char *find(struct span text, const char *what) {
    return text.length ? memmem(text.at, text.length, what, strlen(what)) : NULL;
}

static bool is_utf8(struct span text) {
    const unsigned char *at = (const unsigned char *)text.at, *end = at + text.length;
    while (at < end) {
        unsigned c = *at++, more = c < 0x80 ? 0 : c >= 0xc2 && c < 0xe0 ? 1 : (c & 0xf0) == 0xe0 ? 2 : 3;
        if (c >= 0x80 && (c < 0xc2 || c > 0xf4 || (size_t)(end - at) < more)) return false;
        /* Overlong forms, halves of surrogate pairs, and what lies beyond the last character. */
        if ((c == 0xe0 && *at < 0xa0) || (c == 0xed && *at > 0x9f)) return false;
        if ((c == 0xf0 && *at < 0x90) || (c == 0xf4 && *at > 0x8f)) return false;
        for (; more; more--)
            if ((*at++ & 0xc0) != 0x80) return false;
    }
    return true;
}

static void add(struct text *text, struct span what) {
    if (what.length > text->size - text->length) {
        text->is_bad = true;
        return;
    }
    if (what.length) memcpy(text->at + text->length, what.at, what.length);
    text->length += what.length;
}

__attribute__((format(printf, 2, 3))) static void addf(struct text *text, const char *format, ...) {
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof piece) text->is_bad = true;
    else add(text, (struct span){piece, (size_t)length});
}

/* A JSON string. What is not UTF-8 is left to the Python shim, which replaces it. */
static void add_quoted(struct text *text, struct span value) {
    if (!is_utf8(value)) text->is_bad = true;
    addf(text, "\"");
    for (size_t i = 0; i < value.length && !text->is_bad; i++) {
        char c = value.at[i];
        if (c == '"' || c == '\\') addf(text, "\\%c", c);
        else if ((unsigned char)c < ' ') addf(text, "\\u%04x", c);
        else add(text, (struct span){&c, 1});
    }
    addf(text, "\"");
}

/* The session that a payload names at its top, before any object in it; nothing where that is not plain to see. */
static struct span named_session(struct span text) {
    static const char *const keys[] = {"\"session_id\"", "\"sessionId\""};
    if (text.length > 65536) text.length = 65536;
    for (size_t i = 0; i < 2; i++) {
        const char *key = find(text, keys[i]);
        size_t braces = 0, length = 0;
        if (!key) continue;
        for (const char *at = text.at; at < key; at++) braces += *at == '{';
        struct span name = after(text, (size_t)(key - text.at) + strlen(keys[i]));
        const char *open = find(name, "\"");
        if (!open) continue;
        struct span colon = without_space((struct span){name.at, (size_t)(open - name.at)});
        name = after(name, (size_t)(open - name.at) + 1);
        const char *close_ = find(name, "\"");
        if (!close_ || braces != 1 || colon.length != 1 || *colon.at != ':') continue;
        name.length = (size_t)(close_ - name.at);
        bool is_plain = name.length <= 128;
        for (size_t at = 0; is_plain && at < name.length; at++) {
            bool is_letter = isalnum((unsigned char)name.at[at]) && !(name.at[at] & 0x80);
            is_plain = is_letter || name.at[at] == '-' || name.at[at] == '_';
            length += is_letter;
        }
        if (is_plain && length) return name;
    }
    return (struct span){"", 0};
}

/* What stands between the quotes of a JSON string, written over it; false where it is not exactly that. */
static bool unquote(char *at, size_t *length) {
    static const char letters[] = "n\"\\/trbf", meant[] = "\n\"\\/\t\r\b\f";
    char *out = at, *end = at + *length;
    if (!is_utf8((struct span){at, *length})) return false;
    while (at < end) {
        if (*at == '"') return false;
        if (*at != '\\') {
            *out++ = *at++;
            continue;
        }
        if (++at == end) return false;
        if (*at != 'u') {
            const char *letter = *at ? strchr(letters, *at) : NULL;
            if (!letter) return false;
            *out++ = meant[letter - letters];
            at++;
            continue;
        }
        unsigned code = 0;
        if (end - at < 5) return false;
        for (int i = 1; i <= 4; i++) {
            if (!isxdigit((unsigned char)at[i])) return false;
            code = code << 4 | (unsigned)(at[i] <= '9' ? at[i] - '0' : (at[i] | 0x20) - 'a' + 10);
        }
        at += 5;
        if (code < 0x80) {
            *out++ = (char)code;
        } else if (code < 0x800) {
            *out++ = (char)(0xc0 | code >> 6);
            *out++ = (char)(0x80 | (code & 0x3f));
        } else if (code >= 0xd800 && code < 0xe000) {
            *out++ = '?';
        } else {
            *out++ = (char)(0xe0 | code >> 12);
            *out++ = (char)(0x80 | (code >> 6 & 0x3f));
            *out++ = (char)(0x80 | (code & 0x3f));
        }
    }
    *length = (size_t)(out - (end - *length));
    return true;
}

/* Only exactly what the hub writes counts as understood: where it is printed (0: nowhere), and what. */
static bool understood(char *line, size_t length, int *stream, struct span *said) {
    char begin[48];
    struct span whole = {line, length}, body;
    snprintf(begin, sizeof begin, "{\"request_id\":\"%s\",", id);
    const char *key = find(whole, "\"payload\":");
    if (!starts(whole, begin) || !key) return false;
    body = after(whole, (size_t)(key - line) + strlen("\"payload\":"));
    *stream = 0;
    *said = (struct span){"", 0};
    if (body.length == strlen(PASSTHROUGH) && starts(body, PASSTHROUGH)) return true;
    if (starts(body, JSON_OUTPUT "{") && ends(body, "}}}")) {
        *stream = 1;
        *said = after(body, strlen(JSON_OUTPUT));
        said->length -= 2;
        return true;
    }
    if (starts(body, BLOCK) && ends(body, "\"}}") && body.length >= strlen(BLOCK) + 3) {
        size_t text = body.length - strlen(BLOCK) - 3;
        char *at = line + (body.at - line) + strlen(BLOCK);
        *stream = 2;
        *said = (struct span){at, text};
        return unquote(at, &said->length);
    }
    return false;
}

/* Giving up ------------------------------------------------------------------------------------------------------- */

/* Whether it was started as an entry starts it. */
static bool is_hook(char *const *argv) {
    int argc = 0;
    while (argv[argc] && argc < 4) argc++;
    if (argc < 4 || strcmp(argv[1], "-I") || strcmp(argv[2], "-S") || *argv[3] != '/') return false;
    return ends((struct span){argv[3], strlen(argv[3])}, "/hook.py");
}

/* A file of the shim's folder: the one that hook.py lies in. */
static bool beside(char *path, size_t size, const char *name) {
    const char *program = is_hook(argv_) ? argv_[3] : argv_[0];
    const char *slash = program ? strrchr(program, '/') : NULL;
    if (!slash) return false;
    int length = snprintf(path, size, "%.*s/%s", (int)(slash - program), program, name);
    return length > 0 && (size_t)length < size;
}

/* The table of that name, as place.py wrote it, behind its version. */
static bool read_table(const char *name, struct span *found) {
    char path[PATH_MAX];
    size_t length = 0;
    ssize_t n = -1;
    int fd = beside(path, sizeof path, name) ? open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1;
    if (fd < 0) return false;
    while (length < sizeof table && (n = read(fd, table + length, sizeof table - length)) > 0) length += (size_t)n;
    close(fd);
    *found = (struct span){table, length};
    /* Not one that was cut off, either. */
    if (n != 0 || !starts(*found, TABLE_VERSION) || !ends(*found, "\n\n")) return false;
    *found = after(*found, strlen(TABLE_VERSION));
    return true;
}

/* The rest of the line of a table that begins so, with a tab after each word. */
static bool row(struct span lines, const char *const *words, struct span *rest) {
    while (lines.length) {
        const char *newline = memchr(lines.at, '\n', lines.length);
        if (!newline) return false;
        struct span line = {lines.at, (size_t)(newline - lines.at)};
        lines = after(lines, line.length + 1);
        bool is_it = true;
        for (const char *const *word = words; *word && is_it; word++) {
            size_t length = strlen(*word);
            is_it = line.length > length && !memcmp(line.at, *word, length) && line.at[length] == '\t';
            if (is_it) line = after(line, length + 1);
        }
        if (is_it) {
            *rest = line;
            return true;
        }
    }
    return false;
}

/* Whether a payload says so, read off the bytes as the Python shim reads them. */
static bool says(struct span text, struct span key, struct span value) {
    while (key.length && text.length) {
        const char *found = memmem(text.at, text.length, key.at, key.length);
        if (!found) return false;
        text = after(text, (size_t)(found - text.at) + key.length);
        struct span next = {text.at, text.length < 64 ? text.length : 64};
        while (next.length && is_space(*next.at)) next = after(next, 1);
        while (next.length && *next.at == ':') next = after(next, 1);
        while (next.length && is_space(*next.at)) next = after(next, 1);
        if (next.length >= value.length && !memcmp(next.at, value.at, value.length)) return true;
    }
    return false;
}

/* Where no interpreter starts, either: what the configuration says of a hub that cannot be reached. */
static _Noreturn void last_word(const char *why) {
    struct span lines, mode, said;
    char situation[32];
    if (harness && read_table("replies", &lines)) {
        const char *const bypass[] = {harness, "", "bypass", NULL};
        bool is_bypass = false;
        if (row(lines, bypass, &mode)) {
            const char *tab = memchr(mode.at, '\t', mode.length);
            struct span key = {mode.at, tab ? (size_t)(tab - mode.at) : 0};
            if (tab) is_bypass = says((struct span){payload, payload_length}, key, after(mode, key.length + 1));
        }
        snprintf(situation, sizeof situation, "%s%s", getenv(RUN) ? "run" : held ? "held" : "unreachable",
                 is_bypass ? "_bypass" : "");
        const char *const words[] = {harness, event, situation, NULL};
        if (row(lines, words, &said)) put(1, said.at, said.length);
    }
    complain(why);
    _exit(0);
}

static void take_payload(void);

/* Become the Python shim. */
static _Noreturn void become_python(char **arguments) {
    char program[PATH_MAX];
    if (sock >= 0) close(sock);
    if (beside(program, sizeof program, "interpreter")) {
        arguments[0] = program;
        execv(program, arguments);
    }
    if (harness && !is_stdin_touched) take_payload();
    last_word("the shim's interpreter does not start");
}

/* Have the Python shim go on, after stdin was read. It asks again where no reason to give up is named. */
static _Noreturn void hand_over(const char *why) {
    char at[24], spent[24], count[24];
    char *arguments[16] = {NULL};
    int ends_[2];
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    for (size_t i = 0; i < 9; i++) arguments[i] = argv_[i];
    snprintf(at, sizeof at, "%lld", ts);
    snprintf(spent, sizeof spent, "%lld", (long long)((now() - started) * 1000));
    snprintf(count, sizeof count, "%u", held);
    arguments[9] = id;
    arguments[10] = at;
    arguments[11] = spent;
    arguments[12] = count;
    arguments[13] = (char *)why;
    if (sock >= 0) close(sock);
    sock = -1;
    if (pipe(ends_)) last_word(*why ? why : "the payload could not be handed on");
    /* The child is not to hear of an interrupt, the next program is. */
    sigprocmask(SIG_BLOCK, &interrupt, NULL);
    pid_t child = fork();
    if (child < 0) last_word(*why ? why : "the payload could not be handed on");
    if (!child) {
        /* The client waits until its streams are closed by all who have them. */
        for (int fd = 0; fd < 3; fd++)
            if (fd != ends_[1]) close(fd);
        put(ends_[1], payload, payload_length);
        _exit(0);
    }
    if (ends_[0] != 0) {
        dup2(ends_[0], 0);
        close(ends_[0]);
    }
    if (ends_[1] != 0) close(ends_[1]);
    sigprocmask(SIG_UNBLOCK, &interrupt, NULL);
    become_python(arguments);
}

static void interrupted(int signal_) {
    (void)signal_;
    hand_over("KeyboardInterrupt ");
}

/* How long the next step may stay silent, as a moment. */
static double patience(void) {
    double at = now(), end = started + waits;
    if (end - at <= 0) hand_over("the hub did not answer in time");
    return end - at < silence ? end : at + silence;
}

static bool is_ready(int fd, short what, double until) {
    for (;;) {
        struct pollfd one = {.fd = fd, .events = what, .revents = 0};
        double left = until - now();
        if (left <= 0) return false;
        int n = poll(&one, 1, left > 1e6 ? 1000000000 : (int)(left * 1000) + 1);
        /* The call that follows says what is wrong. */
        if (n > 0 || (n < 0 && errno != EINTR)) return true;
    }
}

/* The usual way --------------------------------------------------------------------------------------------------- */

/* Seconds, as `f"{seconds:g}"` writes them. */
static bool seconds(const char *text, double *found) {
    char *end;
    if (!isdigit((unsigned char)*text) || strlen(text) > 16 || strspn(text, "0123456789.e+") != strlen(text)) return false;
    *found = strtod(text, &end);
    return !*end && *found < LONGEST_WAIT;
}

/* A name of a harness, an event or a variable. */
static bool is_name(struct span name) {
    for (size_t i = 0; i < name.length; i++) {
        char c = name.at[i];
        if (!(isalnum((unsigned char)c) && !(c & 0x80)) && !strchr("_-./", c)) return false;
        if (!c) return false;
    }
    return name.length && name.length <= LONGEST_NAME;
}

static bool read_arguments(int argc, char **argv) {
    if (argc != 9 || !is_hook(argv)) return false;
    if (!is_name((struct span){argv[5], strlen(argv[5])}) || !is_name((struct span){argv[6], strlen(argv[6])})) return false;
    if (!seconds(argv[7], &waits) || !seconds(argv[8], &silence)) return false;
    socket_path = argv[4];
    harness = argv[5];
    event = argv[6];
    return true;
}

/* All of the line but session and payload: `first` stands before the session, `second` after it. The row of a harness
has the variable with its session's id, a tab, and the variables a hub wants to know with a space after each. */
static bool write_head(struct span lines, struct text *first, struct text *second) {
    char name[LONGEST_NAME + 1];
    struct span found;
    const char *tab, *value;
    bool is_first = true;
    const char *const words[] = {harness, NULL};
    if (!row(lines, words, &found) || !(tab = memchr(found.at, '\t', found.length))) return false;
    struct span variable = {found.at, (size_t)(tab - found.at)};
    found = after(found, variable.length + 1);
    if (variable.length) {
        if (!is_name(variable)) return false;
        snprintf(name, sizeof name, "%.*s", (int)variable.length, variable.at);
        value = getenv(name);
        session = (struct span){value ? value : "", value ? strlen(value) : 0};
    }
    addf(first, "{\"request_id\":\"%s\",\"ts\":%lld,\"session_id\":", id, ts);
    addf(second, ",\"hook_event_name\":\"%s\",\"v\":1,\"harness\":\"%s\",\"waits\":%lld,\"env\":{", event, harness,
         (long long)waits);
    while (found.length) {
        const char *space = memchr(found.at, ' ', found.length);
        if (!space) return false;
        struct span each = {found.at, (size_t)(space - found.at)};
        found = after(found, each.length + 1);
        if (!is_name(each)) return false;
        snprintf(name, sizeof name, "%.*s", (int)each.length, each.at);
        if (!(value = getenv(name))) continue;
        addf(second, "%s\"%s\":", is_first ? "" : ",", name);
        add_quoted(second, (struct span){value, strlen(value)});
        is_first = false;
    }
    addf(second, "},");
    if (session.length) add_quoted(first, session);
    return !first->is_bad && !second->is_bad;
}

/* A connection to a hub of the user whose folder this is. */
static bool reach(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char folder[PATH_MAX];
    struct stat ours;
    uid_t theirs;
    if (strlen(socket_path) >= sizeof address.sun_path || !beside(folder, sizeof folder, ".")) return false;
    memcpy(address.sun_path, socket_path, strlen(socket_path) + 1);
    sock = socket(AF_UNIX, SOCK_STREAM, 0);
    /* With one of our streams closed, the socket would have its number. */
    if (sock <= 2 || fcntl(sock, F_SETFD, FD_CLOEXEC) || fcntl(sock, F_SETFL, O_NONBLOCK)) return false;
    if (connect(sock, (struct sockaddr *)&address, sizeof address)) return false;
#ifdef SO_PEERCRED
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &peer, &size) || size != sizeof peer) return false;
    theirs = peer.uid;
#else
    gid_t group;
    if (getpeereid(sock, &theirs, &group)) return false;
#endif
    return !stat(folder, &ours) && theirs == ours.st_uid;
}

/* Everything on stdin, or a little more than is carried. */
static void take_payload(void) {
    int flags = fcntl(0, F_GETFL);
    if (flags >= 0 && !isatty(0)) fcntl(0, F_SETFL, flags | O_NONBLOCK);
    while (payload_length < sizeof payload) {
        size_t room = sizeof payload - payload_length;
        ssize_t n = read(0, payload + payload_length, room < CHUNK ? room : CHUNK);
        if (n > 0) {
            payload_length += (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            if (!is_ready(0, POLLIN, started + waits)) {
                if (sock < 0) return;
                hand_over("the client did not finish its input in time");
            }
        } else if (!n || errno != EINTR) {
            return; /* no stdin at all: the hub treats it as any other payload it cannot read */
        }
    }
}

/* Raw line ends can stand only between the tokens of JSON; as spaces they keep one line one message. */
static void write_tail(struct text *tail, struct span *carried) {
    *carried = (struct span){payload, payload_length};
    for (size_t i = 0; i < payload_length; i++)
        if (payload[i] == '\n' || payload[i] == '\r') payload[i] = ' ';
    if (payload_length > LARGEST_PAYLOAD) {
        addf(tail, "\"too_large\":%zu,\"payload\":null", payload_length);
        carried->length = 0;
    } else if (!without_space(*carried).length) {
        addf(tail, "\"payload\":null");
        carried->length = 0;
    } else {
        addf(tail, "\"payload\":");
    }
}

static void send_line(struct span *parts, size_t count) {
    double until = patience();
    struct iovec left[8];
    for (size_t i = 0; i < count; i++) left[i] = (struct iovec){(void *)(uintptr_t)parts[i].at, parts[i].length};
    struct iovec *next = left, *end = left + count;
    while (next < end) {
        ssize_t n = writev(sock, next, (int)(end - next));
        if (n < 0 && errno == EAGAIN) {
            if (!is_ready(sock, POLLOUT, until)) hand_over("the hub went silent");
        } else if (n < 0 && errno != EINTR) {
            hand_over("");
        }
        for (; n >= 0 && next < end; next++) {
            size_t taken = (size_t)n < next->iov_len ? (size_t)n : next->iov_len;
            next->iov_base = (char *)next->iov_base + taken;
            next->iov_len -= taken;
            n -= (ssize_t)taken;
            if (next->iov_len) break;
        }
    }
}

/* The first line that is not blank: blank ones are heartbeats. */
static struct span receive(void) {
    size_t length = 0;
    while (length <= LARGEST_REPLY) {
        double until = patience();
        ssize_t n;
        while ((n = recv(sock, reply + length, CHUNK, 0)) < 0 && (errno == EAGAIN || errno == EINTR))
            if (!is_ready(sock, POLLIN, until)) hand_over("the hub went silent");
        if (n <= 0) hand_over(""); /* it hung up */
        char *newline;
        size_t searched = length;
        length += (size_t)n;
        while ((newline = memchr(reply + searched, '\n', length - searched))) {
            struct span line = {reply, (size_t)(newline - reply)};
            if (without_space(line).length) return line;
            held++;
            length -= line.length + 1;
            memmove(reply, newline + 1, length);
            searched = 0;
        }
    }
    hand_over("the hub's reply is too long");
}

int main(int argc, char **argv) {
    struct text first = {head_memory, sizeof head_memory, 0, false};
    struct text second = {rest_memory, sizeof rest_memory, 0, false};
    struct span lines, carried, said;
    struct timespec time_;
    unsigned char noise[8];
    int stream;
    argv_ = argv;
    if (argc == 2 && !strcmp(argv[1], "--version")) {
        put(1, "assent gate " SOURCE_DIGEST "\n", strlen("assent gate " SOURCE_DIGEST "\n"));
        return 0;
    }
    started = now();
    if (!read_arguments(argc, argv)) become_python(argv);
    clock_gettime(CLOCK_REALTIME, &time_);
    ts = (long long)time_.tv_sec * 1000 + time_.tv_nsec / 1000000;
    if (getentropy(noise, sizeof noise) || !read_table("variables", &lines)) become_python(argv);
    for (size_t i = 0; i < sizeof noise; i++) snprintf(id + 2 * i, 3, "%02x", noise[i]);
    if (!write_head(lines, &first, &second) || !reach()) become_python(argv);

    /* Before an interrupt can be heard: what was read until then is handed over. */
    is_stdin_touched = true;
    struct sigaction act, before;
    memset(&act, 0, sizeof act);
    act.sa_handler = interrupted;
    signal(SIGPIPE, SIG_IGN);
    if (!sigaction(SIGINT, &act, &before) && before.sa_handler == SIG_IGN) signal(SIGINT, SIG_IGN);
    take_payload();
    if (!session.length) {
        session = named_session((struct span){payload, payload_length});
        add_quoted(&first, session);
    }
    write_tail(&second, &carried);
    struct span parts[] = {{first.at, first.length}, {second.at, second.length}, carried, {"}\n", 2}};
    send_line(parts, sizeof parts / sizeof *parts);
    struct span line = receive();
    if (!understood(reply, line.length, &stream, &said)) hand_over("the hub's reply cannot be read");
    close(sock);
    /* From here on an interrupt comes too late: half an answer is none. */
    signal(SIGINT, SIG_IGN);
    if (stream) put(stream, said.at, said.length);
    _exit(stream == 2 ? 2 : 0);
}
