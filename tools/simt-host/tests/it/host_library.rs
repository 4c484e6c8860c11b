//! Parts of the host's library that programs use now and then. What is drawn, and in which order
//! functions are called, is what glibc and libstdc++ do.

use crate::world::*;

#[test]
fn distributions_draw_as_libstdcpp_does() {
    let text = r#"
        #include <cstdio>
        #include <random>
        #include <vector>
        int main() {
            std::mt19937 g(1);
            std::poisson_distribution<int> few(4.0);
            for (int i = 0; i < 5; i++) printf("%d ", few(g));
            std::discrete_distribution<int> d{1, 2, 3, 4};
            for (int i = 0; i < 8; i++) printf("%d ", d(g));
            std::vector<double> w = {0.1, 5, 2.5};
            std::discrete_distribution<> e(w.begin(), w.end());
            for (int i = 0; i < 12; i++) printf("%d ", e(g));
            long sum = 0;
            for (double mean : {12.0, 12.7, 40.0, 1000.0, 3e5}) {
                std::poisson_distribution<long> many(mean);
                for (int i = 0; i < 3000; i++) sum = sum * 31 + many(g);
                printf("%ld ", sum);
            }
        }"#;
    let said = "5 6 6 6 1 3 2 3 2 1 1 1 3 1 1 1 1 1 1 1 1 1 1 2 1 7166430081258261213 \
        3916739943079283300 -6795716593986901253 8176852989794880979 -6904654154775482514 ";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn numbers_of_48_bits_and_the_end_of_the_program() {
    let text = r#"
        #include <cstdio>
        #include <cstdlib>
        void first() { printf("first"); }
        void last() { printf("last "); }
        int main() {
            atexit(first);
            atexit(last);
            srand48(42);
            double a = drand48();
            long b = lrand48(), c = mrand48();
            printf("%g %ld %ld ", a, b, c);
            unsigned short x[3] = {1, 2, 3};
            a = erand48(x);
            b = nrand48(x);
            c = jrand48(x);
            printf("%g %ld %ld %d ", a, b, c, x[0]);
            exit(0);
        }"#;
    let said = "0.744525 735945821 477107655 0.441996 565063343 -1485464893 7666 last first";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn optional_values() {
    let text = r#"
        #include <cstdio>
        #include <optional>
        #include <string>
        std::optional<int> positive(int x) {
            if (x > 0) return x;
            return std::nullopt;
        }
        int main() {
            auto a = positive(1), b = positive(-1);
            printf("%d%d%d%d ", a.has_value(), b == std::nullopt, a == 1, a == b);
            b = 4;
            b.emplace(5);
            const std::optional<std::string> s = std::string("yes");
            printf("%d %s %d", b.value_or(9), s->c_str(), (int)s.value().size());
        }"#;
    assert_eq!(printed(text), ("1110 5 yes 3".to_owned(), 0));
}

#[test]
fn containers_take_ranges_and_pointers_watch() {
    let text = r#"
        #include <cstdio>
        #include <deque>
        #include <map>
        #include <memory>
        #include <numeric>
        #include <set>
        #include <string>
        #include <unordered_map>
        #include <unordered_set>
        #include <vector>
        struct Node {
            int id;
            std::shared_ptr<Node> next;
            std::weak_ptr<Node> before;
            ~Node() { printf("~%d ", id); }
        };
        int main() {
            std::map<int, std::pair<float, int>> m;
            m.insert_or_assign(3, std::make_pair(1.f, 2));
            printf("%d ", m.insert_or_assign(3, std::make_pair(9.f, 7)).second);
            m.try_emplace(3, 5.f, 5);
            m.try_emplace(4, 5.f, 6);
            printf("%d %d ", m[3].second, m[4].second);
            std::set<int> s = {3, 1, 2};
            std::unordered_set<int> u(s.begin(), s.end());
            u.emplace(9);
            std::vector<std::pair<std::string, int>> v = {{"a", 1}, {"b", 2}, {"a", 3}};
            std::unordered_map<std::string, int> n(v.begin(), v.end());
            std::map<std::string, int> o(v.begin(), v.end());
            n.insert_or_assign("b", 8);
            printf("%d %d %d %d %d ", (int)u.size(), (int)n.size(), n["b"], o["a"], std::reduce(s.begin(), s.end()));
            std::weak_ptr<Node> seen;
            {
                auto a = std::make_shared<Node>(), b = std::make_shared<Node>();
                a->id = 1;
                b->id = 2;
                a->next = b;
                b->before = a;
                seen = a;
                printf("%d %d %d ", b->before.lock()->id, (int)seen.use_count(), seen.expired());
            }
            asm volatile("" : "+r"(s) : : "memory");
            std::deque<int> d = {1, 2, 3};
            d.push_front(0);
            printf("%d %d %d%d", seen.expired(), seen.lock() == nullptr, d[1], (int)d.size());
        }"#;
    let said = "0 7 6 4 2 8 1 6 1 1 0 ~1 ~2 1 1 14";
    assert_eq!(printed(text), (said.to_owned(), 0));
}
