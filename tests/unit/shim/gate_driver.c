/* The parts of gate.c, one case after the other: a letter, a length in four bytes, and so many bytes of input. What a
part makes of it goes back with its length before it; "-" is what the native shim would leave to the Python shim.

Each input lies in memory of exactly its size, so that a byte read or written beside it is noticed. */

#define main gate_main
#include "gate.c"
#undef main

static char usual_harness[] = "claude-code", usual_event[] = "PreToolUse";

static bool take(void *to, size_t length) { return fread(to, 1, length, stdin) == length; }

static void answer(const char *data, size_t length) {
    uint32_t size = (uint32_t)length;
    fwrite(&size, sizeof size, 1, stdout);
    if (length) fwrite(data, 1, length, stdout);
    fflush(stdout);
}

/* The next part of the input up to its NUL. */
static char *word(char **at, char *end) {
    char *begin = *at, *stop = memchr(begin, 0, (size_t)(end - begin));
    if (!stop) return NULL;
    *at = stop + 1;
    return begin;
}

static void on_reply(char *input, size_t length) {
    static char out[1 << 20];
    int stream;
    struct span said;
    if (!understood(input, length, &stream, &said)) {
        answer("-", 1);
        return;
    }
    out[0] = (char)('0' + stream);
    if (said.length) memcpy(out + 1, said.at, said.length);
    answer(out, said.length + 1);
}

static void on_arguments(char *input, size_t length) {
    static char out[1 << 20];
    char *argv[64] = {NULL}, *at = input, *next;
    int argc = 0;
    while (argc < 63 && (next = word(&at, input + length))) argv[argc++] = next;
    if (!argc || !read_arguments(argc, argv)) {
        answer("-", 1);
        return;
    }
    int size = snprintf(out, sizeof out, "%.17g\n%.17g\n%s\n%s\n%s", waits, silence, socket_path, harness, event);
    answer(out, (size_t)size);
}

/* The table, a NUL, the variables with a NUL after each, another NUL, and the payload. */
static void on_line(char *input, size_t length) {
    static char out[1 << 20], row_memory[1 << 16];
    char *variables[64] = {NULL}, *at = input, *next;
    struct text first = {head_memory, sizeof head_memory, 0, false};
    struct text second = {rest_memory, sizeof rest_memory, 0, false}, all = {out, sizeof out, 0, false};
    struct span carried;
    size_t count = 0;
    char *lines = word(&at, input + length);
    while ((next = word(&at, input + length)) && *next && count < 63) variables[count++] = next;
    snprintf(row_memory, sizeof row_memory, "%s", lines);
    environ = variables;
    harness = usual_harness;
    event = usual_event;
    session = (struct span){"", 0};
    waits = 100;
    ts = 1;
    if (!write_head((struct span){row_memory, strlen(row_memory)}, &first, &second)) {
        answer("-", 1);
        return;
    }
    payload_length = (size_t)(input + length - at);
    if (payload_length) memcpy(payload, at, payload_length);
    if (!session.length) {
        session = named_session((struct span){payload, payload_length});
        add_quoted(&first, session);
    }
    write_tail(&second, &carried);
    add(&all, (struct span){first.at, first.length});
    add(&all, (struct span){second.at, second.length});
    add(&all, carried);
    add(&all, (struct span){"}\n", 2});
    answer(out, all.length);
}

int main(void) {
    char letter;
    uint32_t length;
    strcpy(id, "0123456789abcdef");
    while (take(&letter, 1) && take(&length, sizeof length)) {
        char *input = malloc(length ? length : 1);
        if (!input || !take(input, length)) return 1;
        struct span text = {input, length}, found;
        if (letter == 'r') on_reply(input, length);
        else if (letter == 'a') on_arguments(input, length);
        else if (letter == 'l') on_line(input, length);
        else if (letter == 'u') answer(is_utf8(text) ? "1" : "0", 1);
        else if (letter == 'b') {
            struct span key = {"\"permission_mode\"", 17}, value = {"\"bypassPermissions\"", 19};
            answer(says(text, key, value) ? "1" : "0", 1);
        } else if (letter == 's') {
            found = named_session(text);
            answer(found.at, found.length);
        } else {
            return 2;
        }
        free(input);
    }
    return 0;
}
