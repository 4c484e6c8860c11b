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
