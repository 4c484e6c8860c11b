// Strings are bytes: escapes of any value, and a text's own UTF-8.
#include <stdio.h>
#include <string.h>
#include <string>
#include <iostream>

static const char table[] = "\377\0\x80z";

static int sum(const char* text) {
    int s = 0;
    for (; *text; ++text) s = s * 31 % 65521 + (unsigned char)*text;
    return s;
}

int main() {
    printf("%s %s\n", "\303\251", "é");
    printf("caf\u00e9 %d %d\n", (int)sizeof("\xff"), (int)sizeof("é"));
    printf("%d %d %d %d\n", (int)sizeof(table), table[0], (unsigned char)table[2], table[3]);
    char word[8] = "\x41\102\x7f\200";
    unsigned char raw[] = "\xfe\xed";
    printf("%d %d %d %d %d\n", word[0], word[1], word[2], word[3], word[4]);
    printf("%d %d %d\n", raw[0], raw[1], (int)sizeof(raw));
    printf("%d %d %d\n", '\377', '\x80', '\0');
    printf("[%6s] [%-4s] [%.2s] [%.1s]\n", "é", "\xc3\xbc", "öä", "xé");
    printf("%c%c|\n", 0xc3, 0xa9);
    printf("%d %d\n", (int)strlen("日本語"), sum("日本語"));
    printf("%d %d\n", strcmp("\x7f", "\x80") < 0, sum("\1234\12"[0] == 'S' ? "\1234\12" : ""));
    std::string text = "naïve";
    std::cout << text << " " << text.size() << " " << (int)text[2] << " \xe2\x82\xac" << std::endl;
    puts("\t\"quoted\"\\ \?");
    printf("%s%s", "one " "\x31" "2\n", R"(raw \x41 é)" "\n");
    char line[32];
    snprintf(line, 6, "ab\xc3\xa9\xc3\xa9");
    for (const char* p = line; *p; ++p) printf("%02x ", (unsigned char)*p);
    printf("\n");
    return 0;
}
