//! The body of a member function sees the whole class: types that are declared behind it, too.

use crate::world::printed;

#[test]
fn types_of_a_class_are_known_in_its_functions_before_them() {
    let text = r#"
        #include <cstdio>
        class Pool {
        public:
            int f() {
                Block* b = new Block();
                int r = b->c;
                E e = B;
                T t = 2;
                F g = one;
                U u{1};
                L<int> l{4};
                delete b;
                return r + e + t + g() + u + l.v;
            }
            static int one() { return 1; }
        private:
            struct Block { int c = 3; };
            enum E { A, B };
            typedef int T;
            typedef int (*F)();
            using U = long;
            template <class V> struct L { V v; };
        };
        template <class X> class List {
        public:
            List() : head(nullptr) {}
            ~List() { while (head) { Node* n = head->next; delete head; head = n; } }
            void push(X x) { head = new Node{x, head}; }
            X sum() const { X s = 0; for (const Node* n = head; n; n = n->next) s += n->x; return s; }
        private:
            struct Node { X x; Node* next; };
            Node* head;
        };
        struct Outer {
            __device__ int a() { In i; return i.b(); }
            struct In {
                __device__ int b() { Deep d; return d.z; }
                struct Deep { int z = 9; };
            };
        };
        __global__ void k() { Outer o; printf("%d\n", o.a()); }
        int main() {
            List<int> l;
            l.push(3);
            l.push(4);
            printf("%d %d ", Pool().f(), l.sum());
            k<<<1, 1>>>();
            cudaDeviceSynchronize();
        }"#;
    assert_eq!(printed(text), ("12 7 9\n".to_owned(), 0));
}

#[test]
fn a_type_outside_the_class_keeps_its_meaning_up_to_that_of_the_class() {
    let text = r#"
        #include <cstdio>
        struct T { int a; };
        struct S {
            T before;
            friend struct Late;
            struct Late* next;
            typedef long T2;
            T2 after;
        };
        struct Late { int a; };
        int main() {
            Late l{5};
            S s{{1}, &l, 2};
            printf("%d %d %d\n", s.before.a, s.next->a, (int)s.after);
        }"#;
    assert_eq!(printed(text), ("1 5 2\n".to_owned(), 0));
}

/// C++ makes the members of an instance where they are needed, not where it is named.
#[test]
fn an_instance_is_named_before_its_argument_is_complete() {
    let text = r#"
        #include <cstdio>
        template <class T> struct Box { T value; };
        struct S;
        using Early = Box<S>;
        struct S {
            using Boxed = Box<S>;
            int x;
            Box<S>* next;
            static Boxed make(int n);
        };
        S::Boxed S::make(int n) { Boxed made; made.value.x = n; return made; }
        template <class M, class K> struct Unit {
            using Square = Unit<M, Unit<M, K>>;
            M m;
            K k;
        };
        template <class T> struct Vec { using Boxed = Box<Vec>; T t; Boxed* boxed; };
        int main() {
            S::Boxed made = S::make(4);
            made.value.next = &made;
            Early early = made;
            Unit<char, int>::Square square;
            Vec<int>::Boxed boxed;
            boxed.value.t = 5;
            square.k.k = 6;
            printf("%d %d %d %d %d\n", made.value.x, early.value.next->value.x, boxed.value.t,
                   square.k.k, (int)sizeof(square));
        }"#;
    assert_eq!(printed(text), ("4 4 5 6 12\n".to_owned(), 0));
}

/// The C++98 way to ask whether a class has a member.
#[test]
fn a_static_function_is_called_before_its_class_is_complete() {
    let text = r#"
        #include <cstdio>
        #include <type_traits>
        template <typename T> class Has {
            typedef char one;
            struct two { char x[2]; };
            template <typename C> static one test(decltype(&C::apply));
            template <typename C> static two test(...);
        public:
            enum { value = sizeof(test<T>(0)) == sizeof(one) };
        };
        template <typename T> struct Has2 {
            template <typename C> static std::true_type test(typename C::type*);
            template <typename C> static std::false_type test(...);
            using type = decltype(Has2<T>::template test<T>(nullptr));
            static constexpr bool value = decltype(test<T>(nullptr))::value;
        };
        struct Plain {
            static short size(int);
            static const int bytes = sizeof(size(0));
            int twice() const { return 2 * bytes; }
        };
        struct A { void apply() {} typedef int type; };
        struct B {};
        int main() {
            printf("%d%d %d%d%d %d", (int)Has<A>::value, (int)Has<B>::value, Has2<A>::value,
                   Has2<B>::value, Has2<A>::type::value, Plain().twice());
        }"#;
    assert_eq!(printed(text), ("10 101 4".to_owned(), 0));
}

#[test]
fn a_pack_among_explicit_arguments_may_be_empty() {
    let text = r#"
        #include <cstdio>
        template <typename T> constexpr int least() { return sizeof(T); }
        template <typename T, typename U, typename... More> constexpr int least() {
            return least<T>() < least<U, More...>() ? least<T>() : least<U, More...>();
        }
        template <typename R, typename... In> int all(In...) { return least<R, In...>(); }
        int main() { printf("%d%d%d", all<double>(), all<double>(1.0f, 1.0), least<int, short>()); }"#;
    assert_eq!(printed(text), ("842".to_owned(), 0));
}
