// `goto` on the host: to a common end, out of loops, and back.
#include <stdio.h>
#include <stdlib.h>

struct Noisy {
    const char* name;
    Noisy(const char* n) : name(n) { printf("+%s ", name); }
    ~Noisy() { printf("-%s ", name); }
};

static int find(int wanted) {
    int i, j;
    for (i = 0; i < 10; ++i) {
        Noisy outer("i");
        for (j = 0; j < 10; ++j) {
            Noisy inner("j");
            if (i * j == wanted) goto found;
        }
    }
    return -1;
found:
    return i * 100 + j;
}

static int retry() {
    int tries = 0;
again:
    Noisy one("try");
    if (++tries < 3) goto again;
    {
        Noisy two("block");
        if (tries < 5) {
            ++tries;
            goto again;
        }
    }
    return tries;
}

static int state_machine(const char* text) {
    int words = 0;
between:
    if (!*text) goto done;
    if (*text++ == ' ') goto between;
    ++words;
inside:
    if (!*text) goto done;
    if (*text++ != ' ') goto inside;
    goto between;
done:
    return words;
}

int main() {
    int a[100];
    for (int i = 0; i < 100; ++i) a[i] = i;
    printf("%d\n", find(2));
    printf("%d\n", retry());
    printf("%d %d\n", state_machine("  three small words "), state_machine(""));
    switch (a[1]) {
    case 1:
        for (;;) {
            if (a[2] == 2) goto end;
        }
    default:
        return 1;
    }
end:
    return 0;
}
