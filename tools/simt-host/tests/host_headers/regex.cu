// Each section is a program that ends with 0, with g++ and libstdc++ as well.
//# what matches, and what its groups are
#include <regex>
#include <string>
int wrong = 0;
void check(const char* pattern, const char* text, const char* right, int flags = 0) {
    std::smatch m;
    std::string s(text), said;
    std::regex r(pattern, flags ? std::regex::icase | std::regex::ECMAScript : std::regex::ECMAScript);
    if (std::regex_search(s, m, r))
        for (size_t i = 0; i < m.size(); i++) said += (i ? "," : "") + (m[i].matched ? m[i].str() : std::string("-"));
    else said = "none";
    said += std::regex_match(s, r) ? "!" : "";
    if (said != right) {
        std::printf("%s on %s: %s, not %s\n", pattern, text, said.c_str(), right);
        wrong++;
    }
}
#include <cstdio>
int main() {
    check("abc", "xabcx", "abc");
    check("a.c", "abc", "abc!");
    check("(a+)(b*)", "xaab", "aab,aa,b");
    check("a*?b", "aab", "aab!");
    check("(a|ab)(c|bcd)(d*)", "abcd", "abcd,a,bcd,!");
    check("^(\\w+)\\s*=\\s*(\\d+)$", "size = 42", "size = 42,size,42!");
    check("[^,;]+", "one,two", "one");
    check("[a-c\\d-]{2,3}", "x1-b2", "1-b");
    check("(x)?(y)", "y", "y,-,y!");
    check("(\\w)\\1", "hello", "ll,l");
    check("\\bfoo\\b", "a foo b", "foo");
    check("\\bfoo\\b", "afoo", "none");
    check("foo(?=bar)", "foobaz foobar", "foo");
    check("foo(?!bar)", "foobar", "none");
    check("(?:ab)+", "ababx", "abab");
    check("[[:digit:]]+[[:alpha:]]", "12ab", "12a");
    check("HELLO[x-z]", "helloY", "helloY!", 1);
    check("\\x41\\.\\*", "A.*", "A.*!");
    check("a{3}", "aaaa", "aaa");
    return wrong;
}
//# iterators, replacement and errors
#include <iterator>
#include <regex>
#include <string>
#include <vector>
int main() {
    std::string text = "k=1; key=22;x=333";
    std::regex pair("(\\w+)=(\\d+)");
    std::string keys;
    int sum = 0;
    for (std::sregex_iterator i(text.begin(), text.end(), pair), end; i != end; ++i) {
        keys += i->str(1) + "@" + std::to_string(i->position()) + " ";
        sum += std::stoi((*i)[2].str());
    }
    bool right = sum == 356;
    std::regex comma(";\\s*");
    std::vector<std::string> parts(std::sregex_token_iterator(text.begin(), text.end(), comma, -1), std::sregex_token_iterator());
    right = right && parts.size() == 3 && parts[1] == "key=22";
    right = right && std::regex_replace(text, pair, "$2:$1[$&]$$") == "1:k[k=1]$; 22:key[key=22]$;333:x[x=333]$";
    right = right && std::regex_replace(text, std::regex("\\d"), "#", std::regex_constants::format_first_only) == "k=#; key=22;x=333";
    std::cmatch m;
    right = right && std::regex_search("left mid right", m, std::regex("mid")) && m.prefix().str() == "left " && m.suffix() == " right" && m.position() == 5;
    int thrown = 0;
    for (const char* bad : {"(a", "a{2", "[a", "*a", "a\\"}) {
        try {
            std::regex r(bad);
        } catch (const std::regex_error&) { thrown++; }
    }
    return right && thrown == 5 ? 0 : 1;
}
