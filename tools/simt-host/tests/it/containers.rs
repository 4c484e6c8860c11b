//! How the containers make, move and order their elements, and what they say of bad positions: as
//! libstdc++ does.

use crate::world::*;

#[test]
fn elements_of_vectors_move_by_their_constructors() {
    prints(include_str!("../containers/vector.cpp"), include_str!("../containers/vector.txt"));
}

#[test]
fn elements_that_only_move_are_sorted_and_equal_ones_end_as_with_gcc() {
    prints(include_str!("../containers/sort.cpp"), include_str!("../containers/sort.txt"));
}

#[test]
fn elements_of_nodes_are_made_in_place() {
    prints(include_str!("../containers/nodes.cpp"), include_str!("../containers/nodes.txt"));
}

#[test]
fn positions_outside_of_strings_are_told() {
    prints(include_str!("../containers/strings.cpp"), include_str!("../containers/strings.txt"));
}

#[test]
fn literals_of_the_library_are_found_by_each_of_their_namespaces() {
    prints(include_str!("../containers/literals.cpp"), include_str!("../containers/literals.txt"));
}

#[test]
fn kernels_read_initializer_lists() {
    let text = r#"
        #include <cstdio>
        #include <initializer_list>
        __host__ __device__ int sum(std::initializer_list<int> list) {
            int all = (int)list.size();
            for (int i : list) all += i;
            return all;
        }
        __global__ void k() { printf("%d\n", sum({1, 2, 3})); }
        int main() {
            k<<<1, 1>>>();
            cudaDeviceSynchronize();
            printf("%d\n", sum({4, 5}));
        }"#;
    prints(text, "9\n11\n");
}

#[test]
fn nodes_go_from_one_tree_to_another() {
    let text = r#"
        #include <cstdio>
        #include <map>
        #include <set>
        #include <string>
        int main() {
            std::map<std::string, int> m{{"a", 1}, {"b", 2}, {"c", 3}};
            auto node = m.extract("b");
            node.key() = "z";
            node.mapped() = 9;
            auto [at, fresh, rest] = m.insert(std::move(node));
            printf("%d%d %zu ", fresh, rest.empty(), m.size());
            for (auto& [k, v] : m) printf("%s%d ", k.c_str(), v);
            printf("%d ", m.extract("none").empty());
            std::set<int> s{1, 2, 3, 5}, t{2, 3, 4};
            s.merge(t);
            printf("%zu%zu ", s.size(), t.size());
            auto one = s.extract(s.begin());
            printf("%d %zu ", one.value(), s.size());
            std::multiset<int> u{1, 1};
            u.insert(std::move(one));
            u.emplace_hint(u.end(), 7);
            printf("%zu %zu", u.count(1), u.size());
        }"#;
    prints(text, "11 3 a1 c3 z9 1 52 1 4 3 4");
}
