/* A bot in C that plays any game: a legal move by chance, from the seed that it is given.
 *
 *     cc -O2 -o chance chance.c
 *
 * It reads what it needs from each line by searching for the key, which is enough for a bot that does not
 * look at its cards. One that does wants a JSON library.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64: the whole of this bot's luck, so that a match can be played again. */
static uint64_t state;

static uint64_t next(void) {
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* What follows "key": in the line, or NULL. */
static const char *value(const char *line, const char *key) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(line, quoted);
    return found ? found + strlen(quoted) : NULL;
}

static int is(const char *line, const char *type) {
    const char *found = value(line, "type");
    return found && found[0] == '"' && strncmp(found + 1, type, strlen(type)) == 0;
}

int main(void) {
    static char line[1 << 22]; /* a view of a long game may be large */
    while (fgets(line, sizeof line, stdin)) {
        if (is(line, "hello")) {
            const char *seed = value(line, "seed");
            state = seed ? strtoull(seed, NULL, 10) : 0;
            puts("{\"type\":\"ready\",\"protocol\":1}");
        } else if (is(line, "act")) {
            const char *id = value(line, "id"), *numbers = value(line, "numbers");
            if (!id || !numbers) return 1;
            int count = 1;
            for (const char *c = numbers; *c != ']'; c++) count += *c == ',';
            const char *chosen = numbers + 1;
            for (int skip = (int)(next() % (unsigned)count); skip > 0; skip--) chosen = strchr(chosen, ',') + 1;
            printf("{\"type\":\"move\",\"id\":%llu,\"move\":%ld,\"metrics\":{\"choices\":%d}}\n",
                   strtoull(id, NULL, 10), strtol(chosen, NULL, 10), count);
        } else {
            return 0; /* end */
        }
        fflush(stdout); /* the referee waits for the line */
    }
    return 0;
}
