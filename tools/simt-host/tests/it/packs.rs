//! Packs: of values too, expanded anywhere, captured by lambdas, counted and folded.

use crate::world::*;

#[test]
fn packs_of_values() {
    let text = r#"
        #include <cstdio>
        template <int... Dims> struct Shape {
            static constexpr int rank = sizeof...(Dims);
            template <class... I> __host__ __device__ static int at(I... i) {
                const int dims[] = {Dims...};
                const int index[] = {i...};
                int r = 0;
                for (int k = 0; k < rank; k++) r = r * dims[k] + index[k];
                return r;
            }
            int first() const;
        };
        template <int... Dims> int Shape<Dims...>::first() const {
            const int dims[] = {Dims...};
            return dims[0];
        }
        template <int First, int... Rest> struct Product {
            static constexpr int value = First * Product<Rest...>::value;
        };
        template <int Last> struct Product<Last> { static constexpr int value = Last; };
        template <class A, class B> struct Join;
        template <int... A, int... B> struct Join<Shape<A...>, Shape<B...>> {
            using type = Shape<B..., (A + 1)...>;
        };
        template <class T, T... V> struct List {
            __host__ __device__ static T sum() { return (T(0) + ... + V); }
        };
        template <bool... B> constexpr bool all() { return (B && ...); }
        template <char... C> const char* spelled() {
            static const char text[] = {C..., 0};
            return text;
        }
        template <int... K> __global__ void polynomial(int* out, int x) {
            int s = 0;
            ((s = s * x + K), ...);
            *out = s + Shape<5, 7>::at(1, 2) + (int)List<unsigned char, 255, 2>::sum();
        }
        int main() {
            int* out;
            cudaMallocManaged(&out, 4);
            polynomial<1, 2, 3><<<1, 1>>>(out, 10);
            cudaDeviceSynchronize();
            using Joined = Join<Shape<2, 3>, Shape<4>>::type;
            printf("%d %d %d %d ", *out, Product<2, 3, 7>::value, Joined::at(1, 1, 1), Joined().first());
            printf("%d%d%d %s", all<true, 1>(), all<true, false>(), all<>(), spelled<'h', 'i'>());
        }"#;
    // 123, and 1 * 7 + 2, and 255 + 2 in a byte
    assert_eq!(printed(text), ("133 42 17 4 101 hi".to_owned(), 0));
}

#[test]
fn integer_sequences() {
    let text = r#"
        #include <array>
        #include <cstdio>
        #include <tuple>
        #include <utility>
        constexpr int square(int i) { return i * i; }
        template <size_t... I>
        constexpr std::array<int, sizeof...(I)> table(std::index_sequence<I...>) { return {square(I)...}; }
        constexpr auto SQUARES = table(std::make_index_sequence<5>{});
        template <class F, int... I>
        __device__ void unrolled(F f, std::integer_sequence<int, I...>) {
            (f(std::integral_constant<int, I>{}), ...);
        }
        __global__ void k(int* out) {
            unrolled([&](auto i) { out[i] = decltype(i)::value * 3; }, std::make_integer_sequence<int, 4>{});
            [&]<int... I>(std::integer_sequence<int, I...>) {
                ((out[I] += 100), ...);
            }(std::make_integer_sequence<int, 2>{});
        }
        // The packs beside the sequence have other lengths.
        template <size_t... I, class... T> void some(std::index_sequence<I...>, T... values) {
            auto all = std::make_tuple(values...);
            printf("%d of %d:", (int)sizeof...(I), (int)sizeof...(T));
            ((printf(" %d", std::get<I>(all))), ...);
        }
        template <class... T> int dot(const std::tuple<T...>& a, const int* w) {
            return [&]<size_t... I>(std::index_sequence<I...>) {
                return ((std::get<I>(a) * w[I]) + ...);
            }(std::index_sequence_for<T...>{});
        }
        template <class... T> int none(T... values) { (printf("never %d", values), ...); return 0; }
        int main() {
            int* out;
            cudaMallocManaged(&out, 16);
            k<<<1, 1>>>(out);
            cudaDeviceSynchronize();
            printf("%d %d %d %d ", out[0], out[1], out[2], out[3]);
            some(std::index_sequence<2, 0>{}, 7, 8, 9);
            const int w[] = {1, 10, 100};
            printf(" %d %d %d", SQUARES[4], dot(std::make_tuple(1, 2, 3), w), none());
            printf(" %d", std::apply([](auto... x) { return (x - ...); }, std::make_tuple(9, 3, 1)));
        }"#;
    assert_eq!(printed(text), ("100 103 6 9 2 of 3: 9 7 16 321 0 7".to_owned(), 0));
}

#[test]
fn lambdas_take_packs() {
    let text = r#"
        #include <cstdio>
        template <class... T> int both(T... a) {
            auto sum = [=] { return (a + ...); };
            auto product = [a...] { return (a * ...); };
            auto grown = [&](int by) { ((a += by), ...); return (a + ...); };
            return sum() * 10000 + product() * 100 + grown(1);
        }
        template <class... T> __global__ void k(int* out, T... a) {
            auto f = [&](auto... more) { return (a + ...) * 10 + (more - ... - 1); };
            *out = f(7, 2);
        }
        int main() {
            int* out;
            cudaMallocManaged(&out, 4);
            k<<<1, 1>>>(out, 1, 2, 3);
            cudaDeviceSynchronize();
            printf("%d %d", both(2, 3, 4), *out);
        }"#;
    assert_eq!(printed(text), ("92412 66".to_owned(), 0));
}

#[test]
fn what_a_function_returns_is_what_its_value_is() {
    let text = r#"
        #include <cstdio>
        struct P { int x, y; };
        __host__ __device__ decltype(auto) first(P& p) { return (p.x); }
        decltype(auto) copied(P& p) { auto q = p.x; return q; }
        template <class F, class... A> decltype(auto) called(F&& f, A&&... a) { return f(static_cast<A&&>(a)...); }
        int& same(int& x) { return x; }
        __global__ void k(P* p) { first(*p) += 30; }
        int main() {
            P* p;
            cudaMallocManaged(&p, sizeof(P));
            *p = {1, 2};
            first(*p) = 9;
            decltype(auto) copy = copied(*p);
            copy++;
            called(same, p->y) = 7;
            k<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            printf("%d %d %d", p->x, p->y, copy);
        }"#;
    assert_eq!(printed(text), ("39 7 10".to_owned(), 0));
}

#[test]
fn packs_that_do_not_fit_are_refused() {
    let said = |text: &str| compile("packs.cu", text).unwrap_err();
    let main = "int main() { return 0; }\n";
    let lengths = "template <int... I, class... T> int f(T... t) { return ((I + t) + ...); }
        int x = f<1, 2>(1, 2, 3);";
    assert!(said(&format!("{lengths}{main}")).contains("packs of different lengths"));
    let none = "template <int... I> int f() { return (1 + ...); } int x = f<1>();";
    assert!(said(&format!("{none}{main}")).contains("there is no pack to expand here"));
    let long = "#include <utility>\nusing S = std::make_index_sequence<2000>;";
    assert!(said(&format!("{long}{main}")).contains("a sequence of 2000 values"));
    let mixed = "template <int... I> int f() { return (1 + ... * I); }";
    assert!(said(&format!("{mixed}{main}")).contains("the same operator on both sides"));
}
