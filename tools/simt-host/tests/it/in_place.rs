//! Objects that are made where they stay: their constructors may keep pointers into them.

use crate::world::*;

const CLASSES: &str = r#"
    #include <cstdio>
    #include <new>
    struct Own { int a = 1; int* to; Own() { to = &a; } };
    struct Listed { int a = 1; int* to; Listed() : to(&a) {} };
    struct Itself { int a = 1; Itself* me; Itself() { me = this; } int read() { return me->a; } };
    struct Pair { Own first; Listed second; };
    struct Inside { Own own; Itself itself; Inside() : own(), itself() {} };
    "#;

fn check(main: &str, wanted: &str) {
    assert_eq!(printed(&format!("{CLASSES}{main}")), (wanted.to_owned(), 0));
}

#[test]
fn variables_of_the_file_are_made_in_place() {
    check(
        "Own own; Listed listed; Itself itself; Pair pair; Own several[2]; Inside inside;
        int main() {
            own.a = 5; listed.a = 6; itself.a = 7;
            printf(\"%d %d %d\\n\", *own.to, *listed.to, itself.read());
            pair.first.a = 8; pair.second.a = 9; several[1].a = 10;
            printf(\"%d %d %d\\n\", *pair.first.to, *pair.second.to, *several[1].to);
            inside.own.a = 11; inside.itself.a = 12;
            printf(\"%d %d\\n\", *inside.own.to, inside.itself.read());
            static Itself once;
            once.a = 13;
            printf(\"%d\\n\", once.read());
        }",
        "5 6 7\n8 9 10\n11 12\n13\n",
    );
}

#[test]
fn what_new_makes_is_made_in_place() {
    check(
        "int main() {
            Own* own = new Own; own->a = 5;
            Listed* listed = new Listed(); listed->a = 6;
            Itself* itself = new Itself[3]; itself[2].a = 7;
            Inside* inside = new Inside; inside->own.a = 8; inside->itself.a = 9;
            alignas(8) char room[sizeof(Itself)];
            Itself* placed = new (room) Itself; placed->a = 10;
            printf(\"%d %d %d %d %d %d\\n\", *own->to, *listed->to, itself[2].read(),
                *inside->own.to, inside->itself.read(), placed->read());
        }",
        "5 6 7 8 9 10\n",
    );
}

#[test]
fn kernels_make_members_and_new_objects_in_place() {
    check(
        "struct Deep { int a; int* to; __device__ Deep() : a(1) { to = &a; } };
        struct Heap { Deep deep; __device__ Heap() : deep() {} };
        __global__ void k() {
            Heap* made = new Heap; made->deep.a = 6;
            Heap here; here.deep.a = 7;
            printf(\"%d %d\\n\", *made->deep.to, *here.deep.to);
            delete made;
        }
        int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }",
        "6 7\n",
    );
}

#[test]
fn an_assigned_object_is_a_copy() {
    check(
        "Own own;
        int main() {
            Own before;
            own = Own();
            before.a = 3;
            Own* kept = new Own(before);
            printf(\"%d %d\\n\", own.a, *kept->to);
        }",
        "1 3\n",
    );
}

#[test]
fn default_member_initialisers_name_other_members() {
    check(
        "struct Sum { int a = 2; int b = a + 1; int& same = a; };
        struct Plain { int a = 2; int b = a * 3; Plain() = default; Plain(int n) : a(n) {} };
        Own elsewhere;
        struct To { Own& own = elsewhere; int n = 4; };
        Sum global;
        thread_local Sum threads;
        int main() {
            Sum s; s.a = 5; global.a = 6; threads.a = 7;
            Sum* made = new Sum{}; made->a = 8;
            Plain p, q(5);
            To to; to.own.a = 9;
            printf(\"%d %d %d %d %d\\n\", s.same, s.b, global.same, threads.same, made->same);
            printf(\"%d %d %d %d\\n\", p.b, q.b, elsewhere.a, to.n);
        }",
        "5 3 6 7 8\n6 15 9 4\n",
    );
}

#[test]
fn a_thread_local_variable_of_a_function_stays() {
    check(
        "int next() { thread_local int n = 2; return n++; }
        int main() { next(); next(); printf(\"%d\\n\", next()); }",
        "4\n",
    );
}

#[test]
fn new_of_an_array_type_makes_its_elements() {
    check(
        "typedef double Row[3]; using Table = int[2][4];
        int main() {
            double* row = new Row{};
            int (*table)[4] = new Table;
            row[2] = 1.5; table[1][3] = 7;
            printf(\"%g %g %d\\n\", row[0], row[2], table[1][3]);
            delete[] row;
            delete[] table;
        }",
        "0 1.5 7\n",
    );
}

#[test]
fn the_time_of_compiling_is_a_text() {
    check("int main() { printf(\"%zu %zu\\n\", sizeof(__DATE__), sizeof __TIME__); }", "12 9\n");
}

#[test]
fn members_with_arrays_are_made_in_place_on_the_device() {
    // A copy would read the elements that the constructors leave without a value.
    let printed = clean(
        r#"
        #include <cstdio>
        struct V { __device__ V() {} __device__ V(int) { e[0] = 5; } float e[2]; };
        struct P { V a; int n; };
        struct One { __device__ One() {} V v; };
        struct Two { __device__ Two() {} V v[2]; };
        struct Parts { __device__ Parts() {} P p; V v{1}; };
        struct Base : V { __device__ Base() { e[1] = 3; } };
        struct All { Two two; Base base; __device__ All(int n) { base.e[0] = n; } };
        __global__ void make(float* o) {
            One one; one.v.e[0] = 1; o[0] = one.v.e[0];
            Two two; two.v[1].e[1] = 2; o[1] = two.v[1].e[1];
            Parts parts; parts.p.a.e[0] = 3; parts.p.n = 4;
            o[2] = parts.p.a.e[0] + parts.p.n; o[3] = parts.v.e[0];
            Base base; o[4] = base.e[1];
            All all(9); o[5] = all.base.e[0] + all.base.e[1];
            One many[2]; many[1].v.e[0] = 7; o[6] = many[1].v.e[0];
        }
        int main() {
            float *d, h[7];
            cudaMalloc(&d, sizeof h);
            make<<<1, 1>>>(d);
            cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
            for (float x : h) printf("%g ", x);
        }
        "#,
    );
    assert_eq!(printed, "1 2 7 5 3 12 7 ");
}
