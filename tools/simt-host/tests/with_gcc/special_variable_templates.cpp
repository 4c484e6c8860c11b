#include <cstdio>
#include <type_traits>
#include <vector>
#include <map>
namespace n {
template <class T>
constexpr int kind = 0;
template <class T>
constexpr int kind<T&> = 1;
template <class T>
constexpr int kind<T&&> = 2;
template <class T>
constexpr int kind<const T> = 3;
template <class R, class... A>
constexpr int kind<R(A...)> = 4 + sizeof...(A);
template <class C, class R>
constexpr int kind<R C::*> = 9;
template <class T, int N>
constexpr int kind<T[N]> = 100 + N;
}
template <class T>
inline constexpr bool is_map = false;
template <class K, class V>
inline constexpr bool is_map<std::map<K, V>> = true;
template <template <class...> class C, class T>
constexpr bool is_inst = false;
template <class T>
const char* name = "any";
template <class T>
const char* name<T*> = "ptr";
template <>
inline const char* name<int> = "int";
template <class T>
constexpr T zero = T(0);
template <class T>
constexpr T* zero<T*> = nullptr;
template <int N, bool B>
constexpr int num = N;
template <int N>
constexpr int num<N, true> = -N;
template <>
constexpr int num<3, true> = 33;
template <class T>
void f(T) {
    if constexpr (n::kind<T*> == 0) printf("f0\n");
    if constexpr (is_map<T>)
        printf("map\n");
    else
        printf("no\n");
}
struct S {
    int m;
};
int main() {
    printf("%d%d%d%d %d %d %d\n", n::kind<int>, n::kind<int&>, n::kind<int&&>, n::kind<const int>,
           n::kind<int(int, char)>, n::kind<int S::*>, n::kind<int[5]>);
    f(1);
    f(std::map<int, int>());
    printf("%s %s %s\n", name<char>, name<char*>, name<int>);
    printf("%d %d\n", zero<int>, zero<int*> == nullptr);
    printf("%d %d %d\n", num<4, false>, num<4, true>, num<3, true>);
}
