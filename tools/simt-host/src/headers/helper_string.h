// cuda-samples' <helper_string.h>: options on the command line, `-name` or `--name=value`.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef MIN
#define MIN(a, b) ((a < b) ? a : b)
#endif
#ifndef MAX
#define MAX(a, b) ((a > b) ? a : b)
#endif

inline int stringRemoveDelimiter(char delimiter, const char* string) {
    int start = 0;
    while (string[start] == delimiter) start++;
    return start >= (int)strlen(string) - 1 ? 0 : start;
}
// The value after `name=`, or null; `found` says whether the option is there.
inline const char* __option(int argc, const char** argv, const char* name, bool* found) {
    *found = false;
    size_t length = strlen(name);
    for (int i = 1; i < argc; ++i) {
        const char* text = argv[i];
        while (*text == '-') ++text;
        if (text == argv[i] || strncasecmp(text, name, length) != 0) continue;
        if (text[length] == 0 || text[length] == '=') {
            *found = true;
            return text[length] == '=' ? text + length + 1 : nullptr;
        }
    }
    return nullptr;
}
inline bool checkCmdLineFlag(const int argc, const char** argv, const char* name) {
    bool found;
    __option(argc, argv, name, &found);
    return found;
}
inline int getCmdLineArgumentInt(const int argc, const char** argv, const char* name) {
    bool found;
    const char* value = __option(argc, argv, name, &found);
    return value ? atoi(value) : 0;
}
inline float getCmdLineArgumentFloat(const int argc, const char** argv, const char* name) {
    bool found;
    const char* value = __option(argc, argv, name, &found);
    return value ? (float)atof(value) : 0.0f;
}
inline bool getCmdLineArgumentString(const int argc, const char** argv, const char* name, char** to) {
    bool found;
    const char* value = __option(argc, argv, name, &found);
    *to = (char*)value;
    return value != nullptr;
}
template <typename T> inline bool getCmdLineArgumentValue(const int argc, const char** argv, const char* name, T* to) {
    bool found;
    const char* value = __option(argc, argv, name, &found);
    if (value) *to = (T)atoi(value);
    return found;
}
inline char* sdkFindFilePath(const char* name, const char* program) {
    FILE* file = fopen(name, "rb");
    if (file) {
        fclose(file);
        return strdup(name);
    }
    return nullptr;
}
