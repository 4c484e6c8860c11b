//! What a program asks the runtime about streams, kernels, devices and their memory.

use crate::world::{compile, execute, prints};

/// What a program prints.
fn printed(body: &str) -> String {
    let text = format!(
        "#include <cstdio>
        __global__ void kernel(int* a) {{ __shared__ int s[256]; s[threadIdx.x] = 1; a[0] = s[0]; }}
        void callback(cudaStream_t, cudaError_t, void*) {{}}
        int main() {{ {body} }}"
    );
    let program = compile("main.cu", &text).unwrap_or_else(|said| panic!("{said}"));
    execute(&program).0
}

#[test]
fn a_stream_knows_its_flags_and_its_priority() {
    let said = printed(
        "cudaStream_t s, t;
        cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, -2);
        cudaStreamCreateWithPriority(&t, cudaStreamDefault, -9);
        unsigned int flags;
        int priority, device;
        for (cudaStream_t one : {s, t, (cudaStream_t)0}) {
            cudaStreamGetFlags(one, &flags);
            cudaStreamGetPriority(one, &priority);
            cudaStreamGetDevice(one, &device);
            printf(\"%u %d %d; \", flags, priority, device);
        }
        cudaStreamDestroy(s);
        printf(\"%d\", (int)cudaStreamGetFlags(s, &flags));",
    );
    assert_eq!(said, "1 -2 0; 0 -5 0; 0 0 0; 400");
}

#[test]
fn what_is_not_there_is_an_error() {
    let said = printed(
        "int can = 7, *a, *b, value;
        cudaMalloc(&a, 4);
        cudaMalloc(&b, 4);
        cudaMemset(a, 0, 4);
        printf(\"%d %d %d %d; \", (int)cudaDeviceCanAccessPeer(&can, 0, 0), can,
               (int)cudaDeviceCanAccessPeer(&can, 0, 1), (int)cudaMemcpyPeer(b, 1, a, 0, 4));
        printf(\"%d \", (int)cudaMemcpyPeer(b, 0, a, 0, 4));
        printf(\"%d %d %d \", (int)cudaStreamAddCallback(0, nullptr, a, 0),
               (int)cudaStreamAddCallback(0, callback, a, 1), (int)cudaLaunchHostFunc(0, nullptr, a));
        printf(\"%d \", (int)cudaStreamAddCallback(0, callback, a, 0));
        printf(\"%d\", (int)cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));",
    );
    assert_eq!(said, "0 0 101 101; 0 1 1 1 0 1");
}

#[test]
fn shared_memory_is_divided_among_blocks() {
    let said = printed(
        "size_t bytes;
        for (int blocks : {1, 2, 8, 40}) {
            cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, blocks, 256);
            printf(\"%zu \", bytes);
        }",
    );
    assert_eq!(said, "231424 114688 27136 0 ");
}

#[test]
fn every_attribute_has_a_value() {
    let names = include_str!("../../src/headers/cuda_runtime.h");
    let names = names.split_whitespace().filter(|word| word.starts_with("cudaDevAttr"));
    let names: std::collections::BTreeSet<&str> =
        names.filter(|name| name.bytes().all(|b| b.is_ascii_alphanumeric())).collect();
    let asked: String = names
        .iter()
        .map(|name| format!("if (cudaDeviceGetAttribute(&v, {name}, 0)) puts(\"{name}\");"))
        .collect();
    assert!(names.len() > 100);
    assert_eq!(printed(&format!("int v; {asked}")), "");
}

#[test]
fn the_properties_of_the_device_are_its_attributes() {
    let said = printed(
        "cudaDeviceProp p;
        cudaGetDeviceProperties(&p, 0);
        printf(\"%d %d %d %d %d \", p.maxSurface2D[1], p.maxTexture2DLinear[1], p.maxTextureCubemapLayered[1],
               p.persistingL2CacheMaxSize, p.hostRegisterReadOnlySupported);
        printf(\"%d %u %d\", p.ipcEventSupported, p.luidDeviceNodeMask, p.maxGridSize[1]);",
    );
    assert_eq!(said, "65536 65000 2046 39321600 1 0 0 65535");
}

#[test]
fn what_needs_other_processes_is_refused_by_name() {
    for (call, what) in [
        ("cudaIpcMemHandle_t handle;", "(memory that processes share)"),
        ("cudaGraphicsMapResources(1, nullptr);", "(resources of graphics libraries"),
    ] {
        let said =
            compile("main.cu", &format!("int main() {{ {call} }}")).err().unwrap_or_default();
        assert!(said.contains(what), "{said}");
    }
}

/// An H200 printed the same.
#[test]
fn free_memory_falls_in_steps_of_two_mebibytes() {
    let text = "#include <stdio.h>
        int main() {
            size_t before, after, all;
            void* p[4];
            cudaMemGetInfo(&before, &all);
            for (int i = 0; i < 3; ++i) cudaMalloc(&p[i], 100);
            cudaMemGetInfo(&after, &all);
            printf(\"%zu \", before - after);
            for (int i = 0; i < 3; ++i) cudaFree(p[i]);
            cudaMalloc(&p[3], 1 << 30);
            cudaMemGetInfo(&after, &all);
            printf(\"%zu \", before - after);
            cudaFree(p[3]);
            cudaMemGetInfo(&after, &all);
            printf(\"%zu\\n\", before - after);
        }";
    prints(text, "2097152 1073741824 0\n");
}

/// An H200 printed the same.
#[test]
fn printf_on_the_device_returns_how_many_values_it_was_given() {
    let text = r#"#include <stdio.h>
        __global__ void k() { int r = printf("%d %d\n", 1, 2); printf("%d\n", r); }
        int main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }"#;
    prints(text, "1 2\n2\n");
}
