//! Packed classes: `#pragma pack` and the attribute `packed`. The sizes are those that g++ gives.

use crate::world::*;

#[test]
fn members_are_laid_out_as_densely_as_asked() {
    let text = r#"
#include <cstdio>
#include <cstdint>
#include <cstddef>
#pragma pack(push, 1)
struct FileHeader { uint16_t type; uint32_t size; uint16_t reserved[2]; uint32_t offset; };
struct Outer { char tag; FileHeader header; double value; };
#pragma pack(pop)
struct Plain { char c; int i; };
struct __attribute__((packed)) Front { char c; short s; int i; };
typedef struct { char c; double d; } __attribute__((packed)) Behind;
#pragma pack(2)
struct Two { char c; int i; double d; };
union Either { char c[3]; int i; };
template <class T> struct Of { char c; T value; };
#pragma pack()
#pragma pack(push, mine, 4)
struct Four { char c; double d; };
#pragma pack(pop, mine)
struct After { char c; double d; };
int main() {
    printf("%zu %zu %zu %zu %zu\n", sizeof(FileHeader), sizeof(Outer), sizeof(Plain), sizeof(Front), sizeof(Behind));
    printf("%zu %zu %zu %zu %zu\n", sizeof(Two), sizeof(Either), sizeof(Of<double>), sizeof(Four), sizeof(After));
    printf("%zu %zu %zu %zu\n", alignof(FileHeader), alignof(Two), alignof(Four), offsetof(Outer, value));
    Outer o{};
    o.header.size = 0x01020304;
    o.value = 2.5;
    unsigned char* bytes = reinterpret_cast<unsigned char*>(&o);
    printf("%d %d %d\n", bytes[3], bytes[6], bytes[15]);
    Outer copy = o;
    Outer many[3] = {o, copy, o};
    many[1].value += 1;
    printf("%g %g %x\n", many[1].value, many[2].value, many[2].header.size);
    Front f{'a', -7, 9};
    f.i *= 2;
    printf("%c %d %d\n", f.c, f.s, f.i);
}
"#;
    let wanted = "14 23 8 7 9\n\
        14 4 10 12 16\n\
        1 2 4 15\n\
        4 1 0\n\
        3.5 2.5 1020304\n\
        a -7 18\n";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn what_is_not_laid_out_is_refused_by_name() {
    let kernel = "#pragma pack(1)
        struct S { char c; int i; };
        __global__ void k(S* s) { s->i = 1; }
        int main() { k<<<1, 1>>>(nullptr); }";
    let bits = "struct __attribute__((packed)) S { char c; int i : 3; };
        int main() { return sizeof(S); }";
    let pop = "#pragma pack(pop)
        int main() { }";
    let three = "#pragma pack(3)
        int main() { }";
    let member = "struct S { char c; int i __attribute__((packed)); };
        int main() { return sizeof(S); }";
    for (text, wanted) in [
        (kernel, "an object of a packed class in a kernel"),
        (bits, "a bit-field of a packed class"),
        (pop, "`pack(pop)` without its `pack(push)`"),
        (three, "`3`: `pack` takes 1, 2, 4, 8 or 16"),
        (member, "the attribute `packed` of a variable or member"),
    ] {
        let said = compile("program.cu", text).err().unwrap_or_default();
        assert!(said.contains(wanted), "`{wanted}` is not in:\n{said}");
    }
}

#[test]
fn offsetof_follows_members_of_members() {
    let text = "#include <cstdio>
        #include <cstddef>
        struct A { int x; double y; };
        struct B : A { char c; A a[2]; struct { short s, t; }; A last; };
        template <class T> constexpr size_t behind() { return offsetof(T, y); }
        int main() {
            static_assert(offsetof(A, y) == 8, \"\");
            printf(\"%zu %zu %zu %zu\\n\", offsetof(B, a), offsetof(B, t), offsetof(B, last.y), behind<A>());
        }";
    assert_eq!(printed(text), ("24 58 72 8\n".to_owned(), 0));
    let none = "struct A { int x; }; int main() { return offsetof(A, y); }";
    let said = compile("program.cu", none).err().unwrap_or_default();
    assert!(said.contains("`A` has no member `y`"), "{said}");
}
