// <getopt.h>: options in the order of the command line, as with POSIXLY_CORRECT.
#pragma once
#include <string.h>

static char* optarg = nullptr;
static int optind = 1, opterr = 1, optopt = 0;
static int __optat = 0;

struct option {
    const char* name;
    int has_arg;
    int* flag;
    int val;
};
#define no_argument 0
#define required_argument 1
#define optional_argument 2

inline int __wrong_option(const char* program, const char* what, const char* name) {
    if (opterr) __host_fprintf(2, "%s: %s '%s'\n", program, what, name);
    return '?';
}
inline int getopt_long(int argc, char* const* argv, const char* letters, const struct option* words, int* index) {
    optarg = nullptr;
    if (__optat == 0) {
        if (optind >= argc || argv[optind][0] != '-' || argv[optind][1] == 0) return -1;
        if (words && argv[optind][1] == '-' && argv[optind][2] != 0) {
            char* word = argv[optind++] + 2;
            char* value = strchr(word, '=');
            size_t length = value ? (size_t)(value - word) : strlen(word);
            for (int i = 0; words[i].name; ++i) {
                if (strncmp(words[i].name, word, length) != 0 || words[i].name[length] != 0) continue;
                if (value) optarg = value + 1;
                else if (words[i].has_arg == required_argument) {
                    if (optind >= argc) return __wrong_option(argv[0], "no value for option", word);
                    optarg = argv[optind++];
                }
                if (index) *index = i;
                if (!words[i].flag) return words[i].val;
                *words[i].flag = words[i].val;
                return 0;
            }
            return __wrong_option(argv[0], "unrecognized option", word);
        }
        if (strcmp(argv[optind], "--") == 0) {
            ++optind;
            return -1;
        }
        __optat = 1;
    }
    char* word = argv[optind];
    int letter = word[__optat++];
    const char* known = letter == ':' ? nullptr : strchr(letters, letter);
    bool last = word[__optat] == 0;
    if (known && known[1] == ':') {
        if (!last) optarg = word + __optat;
        else if (known[2] != ':' && optind + 1 < argc) optarg = argv[++optind];
        else if (known[2] != ':') known = nullptr;
        last = true;
    }
    if (last) {
        ++optind;
        __optat = 0;
    }
    if (known) return letter;
    optopt = letter;
    char name[2] = {(char)letter, 0};
    return __wrong_option(argv[0], "invalid option", name);
}
inline int getopt(int argc, char* const* argv, const char* letters) { return getopt_long(argc, argv, letters, nullptr, nullptr); }
