#include <cstdio>
#include <string>
#include <vector>
extern int later;
int first = later + 1;
int later = 5;
int value();
int early = value();
int table[3] = {7, 8, 9};
const char* text = "text";
struct Plain {
    int a;
    double b;
} plain = {1, 2.5};
int value() { return table[1] + (text[0] == 't') + plain.a; }
struct Registry {
    static inline std::vector<std::string> names;
    static int add(const char* name) {
        names.push_back(name);
        return (int)names.size();
    }
};
template <typename T>
struct Registered {
    static inline int number = Registry::add("used");
};
template <typename T>
struct Unused {
    static inline int number = Registry::add("unused");
};
struct A : Registered<A> {};
struct B : Unused<B> {};
int last = Registered<A>::number;
const std::string& kept = std::string("kept");
int main() {
    A a;
    B b;
    printf("%d %d %d %s\n", first, early, last, kept.c_str());
    for (const std::string& name : Registry::names) printf("%s\n", name.c_str());
}
