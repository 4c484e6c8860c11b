//! Textures and surfaces: the bits of the hardware, and what a program can do wrong with them.
//!
//! `textures/recorded.cu` prints a hash per case, and `textures/recorded.txt` is what it prints on an
//! H100.

use crate::world::*;

#[test]
fn each_mode_gives_the_bits_of_the_hardware() {
    let (output, report) = run("recorded.cu", include_str!("../textures/recorded.cu"));
    assert!(report.code == 0 && report.findings.is_empty(), "{:?}", report.diagnostics);
    let recorded = include_str!("../textures/recorded.txt");
    let wrong: Vec<_> = output.lines().zip(recorded.lines()).filter(|(a, b)| a != b).collect();
    assert_eq!(output.lines().count(), recorded.lines().count());
    assert!(wrong.is_empty(), "{} cases differ: {:?}", wrong.len(), &wrong[..wrong.len().min(9)]);
}

/// A program with an array `texels` of 16 x 4 floats, its first three rows written; with a texture
/// object `image` and a surface object `sheet` of it, and an array `out` of 64 floats.
fn program(kernel: &str, main: &str) -> String {
    format!(
        r#"#include <cstdio>
        {kernel}
        int main() {{
            cudaArray_t texels;
            cudaChannelFormatDesc one = cudaCreateChannelDesc<float>();
            cudaMallocArray(&texels, &one, 16, 4, cudaArraySurfaceLoadStore);
            float values[48];
            for (int i = 0; i < 48; i++) values[i] = i;
            cudaMemcpy2DToArray(texels, 0, 0, values, 64, 64, 3, cudaMemcpyHostToDevice);
            cudaResourceDesc resource = {{}};
            resource.resType = cudaResourceTypeArray;
            resource.res.array.array = texels;
            cudaTextureDesc how = {{}};
            how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
            cudaTextureObject_t image;
            cudaCreateTextureObject(&image, &resource, &how, nullptr);
            cudaSurfaceObject_t sheet;
            cudaCreateSurfaceObject(&sheet, &resource);
            float *out, result[64];
            cudaMalloc(&out, sizeof result);
            {main}
        }}"#
    )
}

/// The codes and messages of the findings, and the exit code.
fn found(kernel: &str, main: &str) -> (i32, String) {
    let (_, report) = run("program.cu", &program(kernel, main));
    let launches = report.launches.iter().flat_map(|launch| &launch.report.findings);
    let of_launches = launches.map(|f| format!("{}: {}", f.code.name(), f.message));
    let of_host = report.diagnostics.iter().map(|d| format!("{}: {}", d.code, d.message));
    (report.code, of_launches.chain(of_host).collect::<Vec<_>>().join("\n"))
}

const READ: &str = "__global__ void k(cudaTextureObject_t image, float* out, float y) {
    out[threadIdx.x] = tex2D<float>(image, threadIdx.x + 0.5f, y);
}";

#[test]
fn a_fetch_is_a_read_of_memory() {
    let (code, said) =
        found(READ, "k<<<1, 16>>>(image, out, 2.5f); return cudaDeviceSynchronize();");
    assert_eq!((code, said.as_str()), (0, ""));
    for (main, words) in [
        (
            "k<<<1, 16>>>(image, out, 3.5f);",
            "unwritten-memory: `texels[192]` is read, but nothing was written there",
        ),
        (
            "cudaDestroyTextureObject(image); k<<<1, 16>>>(image, out, 0.5f);",
            "freed-memory: `image` has been freed",
        ),
        (
            "cudaFreeArray(texels); k<<<1, 16>>>(image, out, 0.5f);",
            "freed-memory: `texels` has been freed",
        ),
        ("k<<<1, 16>>>(7, out, 0.5f);", "bad-pointer: "),
    ] {
        let (_, said) = found(READ, main);
        assert!(said.contains(words), "`{words}` is not in:\n{said}");
    }
}

#[test]
fn linear_memory_ends_where_it_was_allocated() {
    let kernel = "__global__ void k(cudaTextureObject_t list, float* out, int first) {
            out[threadIdx.x] = tex1Dfetch<float>(list, first + threadIdx.x);
        }";
    let object = "cudaMemset(out, 0, sizeof result);
        cudaResourceDesc memory = {};
        memory.resType = cudaResourceTypeLinear;
        memory.res.linear.devPtr = out;
        memory.res.linear.desc = one;
        memory.res.linear.sizeInBytes = SIZE;
        cudaTextureObject_t list;
        float* other;
        cudaMalloc(&other, 256);
        cudaCreateTextureObject(&list, &memory, &how, nullptr);";
    let with = |size: &str, rest: &str| found(kernel, &(object.replace("SIZE", size) + rest));
    let (_, said) = with("256", "k<<<1, 32>>>(list, other, 50);");
    assert_eq!(said, "", "outside of the object there are zeros");
    let (_, said) = with("512", "k<<<1, 32>>>(list, other, 50);");
    assert!(said.contains("out-of-bounds: "), "{said}");
    // What other threads write meanwhile.
    let (_, said) = with("256", "k<<<1, 32>>>(list, out, 1);");
    assert!(said.contains("warp-race: ") && said.contains("`out[1]`"), "{said}");
}

#[test]
fn surfaces_are_written_and_have_ends() {
    let kernel = "__global__ void k(cudaSurfaceObject_t sheet, int x, int y) {
            surf2Dwrite((float)threadIdx.x, sheet, x + 4 * (int)threadIdx.x, y);
        }
        __global__ void both(cudaSurfaceObject_t sheet, float* out) {
            surf2Dwrite(1.0f, sheet, 4 * (int)threadIdx.x, 0, cudaBoundaryModeZero);
            out[threadIdx.x] = surf2Dread<float>(sheet, 4 * (63 - (int)threadIdx.x), 0, cudaBoundaryModeClamp);
        }";
    let ends = "return cudaDeviceSynchronize() & 255;";
    let (code, said) = found(kernel, &format!("k<<<1, 16>>>(sheet, 0, 3); {ends}"));
    assert_eq!((code, said.as_str()), (0, ""));
    for (main, words, code) in [
        ("k<<<1, 16>>>(sheet, 4, 3);", "trap: a surface access is outside of its array", 700),
        ("k<<<1, 1>>>(sheet, 0, -1);", "trap: a surface access is outside of its array", 700),
        ("k<<<1, 1>>>(sheet, 2, 0);", "misaligned: byte 2 of `texels`", 716),
        ("both<<<1, 64>>>(sheet, out);", "global-race: ", 0),
    ] {
        let (ended, said) = found(kernel, &format!("{main} {ends}"));
        assert!(said.contains(words), "`{words}` is not in:\n{said}");
        assert_eq!(ended, code & 255, "{main}");
    }
}

#[test]
fn the_calls_fail_as_on_the_hardware() {
    let main = r#"
            cudaArray_t a = 0;
            cudaTextureObject_t o = 0;
            const cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
            const cudaChannelFormatDesc whole = cudaCreateChannelDesc<int4>();
            printf("%d ", cudaMallocArray(&a, &three, 8));
            printf("%d ", cudaMallocArray(&a, &one, 0));
            printf("%d ", cudaMemcpy2DToArray(texels, 4, 0, values, 64, 64, 1, cudaMemcpyHostToDevice));
            printf("%d ", cudaMemcpy2DToArray(texels, 0, 3, values, 64, 64, 2, cudaMemcpyHostToDevice));
            printf("%d ", cudaMemcpy2DToArray(texels, 0, 0, values, 32, 64, 2, cudaMemcpyHostToDevice));
            printf("%d ", cudaMemcpy2DToArray(texels, 0, 0, values, 64, 64, 1, cudaMemcpyDeviceToHost));
            cudaMallocArray(&a, &whole, 8);
            resource.res.array.array = a;
            how.filterMode = cudaFilterModeLinear;
            printf("%d ", cudaCreateTextureObject(&o, &resource, &how, nullptr));
            how.readMode = cudaReadModeNormalizedFloat;
            printf("%d ", cudaCreateTextureObject(&o, &resource, &how, nullptr));
            resource.res.array.array = 0;
            printf("%d ", cudaCreateTextureObject(&o, &resource, &how, nullptr));
            how.readMode = cudaReadModeElementType;
            resource.resType = cudaResourceTypeLinear;
            resource.res.linear.devPtr = out + 1;
            resource.res.linear.desc = one;
            resource.res.linear.sizeInBytes = 64;
            printf("%d ", cudaCreateTextureObject(&o, &resource, &how, nullptr));
            printf("%d %d", cudaDestroyTextureObject(0), cudaFreeArray(0));
            return 0;"#;
    let (output, report) = run("program.cu", &program("", main));
    assert_eq!(output, "20 1 1 1 12 21 26 27 400 1 0 0", "{:?}", report.diagnostics);
}

#[test]
fn what_is_missing_is_refused_by_name() {
    for (main, words) in [
        (
            "cudaMalloc3DArray(&texels, &one, make_cudaExtent(8, 8, 2), cudaArrayLayered);",
            "not supported by the simulator: layered textures (cudaArrayLayered)",
        ),
        (
            "how.sRGB = 1; cudaCreateTextureObject(&image, &resource, &how, nullptr);",
            "not supported by the simulator: sRGB textures (cudaTextureDesc::sRGB)",
        ),
        (
            "resource.resType = cudaResourceTypeMipmappedArray;
             cudaCreateTextureObject(&image, &resource, &how, nullptr);",
            "not supported by the simulator: mipmapped textures",
        ),
    ] {
        let (_, said) = found("", main);
        assert!(said.contains(words), "`{words}` is not in:\n{said}");
    }
    for (kernel, words) in [
        ("o[0] = tex2DLod<float>(t, 0.5f, 0.5f, 1.0f);", "`tex2DLod` (mipmapped textures)"),
        ("o[0] = tex2DLayered<float>(t, 0.5f, 0.5f, 1);", "`tex2DLayered` (layered textures)"),
        ("o[0] = texCubemap<float>(t, 0.5f, 0.5f, 1.0f);", "`texCubemap` (cubemap textures)"),
        ("o[0] = tex2Dgather<float4>(t, 0.5f, 0.5f).x;", "`tex2Dgather` (textures)"),
    ] {
        let kernel = format!("__global__ void k(cudaTextureObject_t t, float* o) {{ {kernel} }}");
        let said = compile("program.cu", &program(&kernel, "")).err().unwrap_or_default();
        assert!(said.contains(words), "`{words}` is not in:\n{said}");
    }
}
