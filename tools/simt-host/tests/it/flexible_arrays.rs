//! Arrays at the end of a class that take no room: what is behind the object are their elements.

use crate::world::*;

#[test]
fn an_array_without_length_is_what_is_behind_the_object() {
    let text = r#"
        #include <cstdio>
        #include <cstdlib>
        struct Words { int n; int a[0]; };
        typedef struct { int n; float a[]; } Numbers;
        struct Padded { char c; double d[0]; int x; };
        template <class T> struct List {
            int n;
            T v[0];
            __host__ __device__ T sum() const {
                T t = 0;
                for (int i = 0; i < n; i++) t += v[i];
                return t;
            }
        };
        __global__ void fill(Words* w, int n) {
            int i = threadIdx.x;
            if (i < n) w->a[i] = i * i;
            if (i == 0) w->n = n;
        }
        __global__ void add(List<int>* list, int* out) { *out = list->sum(); }
        __global__ void copy(Numbers* from, Numbers* to) {
            *to = *from;
            Numbers own = *from;
            to->a[0] = from->a[1] + own.n;
        }
        int main() {
            printf("%zu %zu %zu %zu\n", sizeof(Words), sizeof(Numbers), sizeof(Padded),
                sizeof(List<double>));
            Words* w;
            cudaMallocManaged(&w, sizeof(Words) + 4 * sizeof(int));
            fill<<<1, 32>>>(w, 4);
            cudaDeviceSynchronize();
            int* elements = w->a;
            printf("%d %d %td\n", w->n, elements[3], (char*)&w->a[1] - (char*)w);
            Numbers* h = (Numbers*)malloc(sizeof(Numbers) + 2 * sizeof(float));
            h->n = 2;
            h->a[0] = 1;
            h->a[1] = 2;
            Numbers *d, *e;
            cudaMalloc(&d, sizeof(Numbers) + 8);
            cudaMalloc(&e, sizeof(Numbers) + 8);
            cudaMemcpy(d, h, sizeof(Numbers) + 8, cudaMemcpyHostToDevice);
            copy<<<1, 1>>>(d, e);
            cudaMemcpy(h, e, sizeof(Numbers) + 4, cudaMemcpyDeviceToHost);
            printf("%d %g\n", h->n, h->a[0]);
            List<int>* list;
            int* out;
            cudaMallocManaged(&list, sizeof(List<int>) + 3 * sizeof(int));
            cudaMallocManaged(&out, sizeof(int));
            list->n = 3;
            for (int i = 0; i < 3; i++) list->v[i] = i + 1;
            add<<<1, 1>>>(list, out);
            cudaDeviceSynchronize();
            Words one = {5}, two = one;
            printf("%d %d %d\n", *out, list->sum(), two.n);
        }"#;
    let said = "4 4 16 8\n4 9 8\n2 4\n6 6 5\n";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn elements_behind_the_memory_are_out_of_bounds() {
    let text = r#"
        struct Words { int n; int a[0]; };
        __global__ void fill(Words* w) { w->a[threadIdx.x] = 1; }
        int main() {
            Words* w;
            cudaMalloc(&w, sizeof(Words) + 4 * sizeof(int));
            fill<<<1, 5>>>(w);
            cudaDeviceSynchronize();
            cudaFree(w);
        }"#;
    let (_, report) = run("program.cu", text);
    let found: Vec<_> = report.launches.iter().flat_map(|l| &l.report.findings).collect();
    assert_eq!(found.len(), 1, "{found:?}");
}
