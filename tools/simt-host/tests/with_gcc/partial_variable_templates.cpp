#include <cstdio>
#include <vector>
template <class T>
constexpr bool is_p = false;
template <class T>
constexpr bool is_p<T*> = true;
template <class T>
constexpr bool is_vec = false;
template <class T, class A>
inline constexpr bool is_vec<std::vector<T, A>> = true;
template <class T, class U>
constexpr int same = 0;
template <class T>
constexpr int same<T, T> = 1;
template <class T>
constexpr int same<T, T*> = 2;
template <>
constexpr int same<int, char> = 7;
template <int N>
constexpr int fact = N * fact<N - 1>;
template <>
constexpr int fact<0> = 1;
template <class T>
constexpr int rank_v = 0;
template <class T, int N>
constexpr int rank_v<T[N]> = 1 + rank_v<T>;
template <class... T>
constexpr int cnt = -1;
template <class T, class... U>
constexpr int cnt<T, U...> = 1 + (int)sizeof...(U);
int main() {
    printf("%d%d %d%d %d%d%d%d %d %d %d \n", is_p<int>, is_p<int*>, is_vec<int>, is_vec<std::vector<int>>,
           same<int, float>, same<int, int>, same<int, int*>, same<int, char>, fact<5>, rank_v<int[2][3]>,
           cnt<int, char, float>);
}
