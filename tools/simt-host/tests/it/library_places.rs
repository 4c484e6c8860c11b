//! A mistake that shows inside the library's text is told at the line of who uses it.

use crate::world::*;

fn said(text: &str) -> String {
    compile("program.cu", text).err().unwrap_or_default()
}

#[test]
fn what_is_called_through_a_function_object() {
    let text = "#include <functional>
        #include <string>
        struct F { void operator()(std::string) {} };
        std::function<void(int)> g = F();
        int main() { g(1); }";
    let said = said(text);
    assert!(said.contains("cannot pass `int` as `std::string`"), "{said}");
    assert!(said.contains("--> program.cu:4:") && !said.contains("?:1:1"), "{said}");
}

#[test]
fn what_owns_its_like_is_destroyed() {
    let text = r#"#include <cstdio>
        #include <memory>
        struct Node {
            int v;
            std::unique_ptr<Node> next;
            ~Node() { printf("~%d ", v); }
        };
        struct Tree { int v; std::unique_ptr<Tree> left, right; };
        struct Raw { int v; Raw* next; ~Raw() { printf("-%d ", v); delete next; } };
        struct Holder { Raw* p; ~Holder() { delete p; } };
        int main() {
            std::unique_ptr<Node> head;
            for (int i = 0; i < 3; i++) {
                std::unique_ptr<Node> n(new Node{i});
                n->next = std::move(head);
                head = std::move(n);
            }
            head->next->next.reset();
            Tree t{1};
            t.left.reset(new Tree{2});
            t.left->right.reset(new Tree{3});
            printf("%d ", t.left->right->v);
            Holder h{new Raw{1, new Raw{2, nullptr}}};
        }"#;
    assert_eq!(printed(text), ("~0 3 -1 -2 ~2 ~1 ".to_owned(), 0));
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn an_algorithm_past_the_end_of_an_array() {
    for call in [
        "thrust::reduce(v.begin(), v.begin() + 12)",
        "thrust::transform(v.begin(), v.begin() + 12, w.begin(), thrust::negate<int>())",
        "thrust::inclusive_scan(v.begin(), v.begin() + 12, w.begin())",
        "thrust::sort(v.begin(), v.begin() + 12)",
        "thrust::fill(v.begin(), v.begin() + 12, 1)",
        "thrust::max_element(v.begin(), v.begin() + 12)",
        "thrust::count(v.begin(), v.begin() + 12, 1)",
        "cub::DeviceReduce::Sum(room, bytes, v.begin(), w.begin(), 12)",
    ] {
        let text = format!(
            "#include <thrust/device_vector.h>\n#include <thrust/reduce.h>\n#include <thrust/sort.h>\n\
             #include <thrust/scan.h>\n#include <thrust/extrema.h>\n#include <thrust/count.h>\n\
             #include <cub/cub.cuh>\n#include <cstdio>\n\
             int main() {{\n\
             thrust::device_vector<int> v(10, 1), w(20); size_t bytes = 1024;\n\
             void* room; cudaMalloc(&room, bytes);\n\
             try {{ {call}; }} catch (const std::exception&) {{}}\n}}\n"
        );
        let (_, report) = run("program.cu", &text);
        let said = &report.findings[0].1;
        assert!(said.contains("of `v` is out of bounds"), "{call}: {said}");
        assert!(said.contains(" --> program.cu:12:7\n"), "{call}: {said}");
    }
}
