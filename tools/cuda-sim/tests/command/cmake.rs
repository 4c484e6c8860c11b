//! CMake takes the driver for nvcc: projects are configured, built and tested. `.ci/run cmake` installs
//! CMake and runs these tests.

use crate::folder::Folder;
use std::path::Path;
use std::process::Command;

const LISTS: &str = "\
cmake_minimum_required(VERSION 3.18)
project(demo LANGUAGES CXX CUDA)
set(CMAKE_CUDA_ARCHITECTURES 75 90)
set(CMAKE_CUDA_STANDARD 17)
include_directories(\"${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES}\")
enable_testing()
add_library(fixed STATIC fill.cu)
set_target_properties(fixed PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
add_library(shared SHARED fill.cu)
foreach(library fixed shared)
  target_compile_definitions(${library} PRIVATE VALUE=7)
  add_executable(use_${library} main.cu)
  target_link_libraries(use_${library} PRIVATE ${library})
  add_test(NAME use_${library} COMMAND use_${library})
endforeach()
";

const WITH_CXX: &str = "\
cmake_minimum_required(VERSION 3.18)
project(demo LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
enable_testing()
add_executable(mixed host.cpp fill.cu)
target_compile_definitions(mixed PRIVATE VALUE=7)
target_link_libraries(mixed PRIVATE CUDA::cudart)
add_test(NAME mixed COMMAND mixed)
";

/// Before CMake knew CUDA as a language.
const BEFORE: &str = "\
cmake_minimum_required(VERSION 3.5)
project(before)
find_package(CUDA REQUIRED)
enable_testing()
cuda_add_library(parts STATIC fill.cu OPTIONS -DVALUE=7)
cuda_add_executable(before main.cu)
target_link_libraries(before parts ${CUDA_cublas_LIBRARY} ${CUDA_CUBLAS_LIBRARIES})
add_test(NAME before COMMAND before)
";

const WITH_OPENMP: &str = "\
cmake_minimum_required(VERSION 3.18)
project(teams LANGUAGES CXX CUDA)
find_package(OpenMP REQUIRED)
enable_testing()
add_executable(teams teams.cu)
target_link_libraries(teams PRIVATE OpenMP::OpenMP_CXX)
target_compile_options(teams PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fopenmp>)
add_test(NAME teams COMMAND teams)
";

const TEAMS: &str = "\
#include <omp.h>
#if _OPENMP != 201511
#error which OpenMP?
#endif
int main() {
    int sum = 0, members = 0;
    omp_set_num_threads(4);
    #pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 10; i++) sum += i;
    #pragma omp parallel
    {
        #pragma omp atomic
        members++;
        if (omp_get_thread_num() >= omp_get_num_threads()) return 2;
    }
    return sum != 45 || members != omp_get_max_threads();
}
";

const WITH_LIBRARIES: &str = "\
cmake_minimum_required(VERSION 3.18)
project(libraries LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
find_library(runtime cudart PATHS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} NO_DEFAULT_PATH REQUIRED)
find_package(CCCL 3.0 REQUIRED CONFIG HINTS ${CUDAToolkit_LIBRARY_DIR}/..)
enable_testing()
add_executable(libraries main.cu fill.cu)
set_target_properties(libraries PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_compile_definitions(libraries PRIVATE VALUE=7)
target_link_libraries(libraries PRIVATE CUDA::cudart_static CUDA::cuda_driver CUDA::nvml
    CUDA::cublas CUDA::cublas_static CUDA::cublasLt CUDA::cufft CUDA::cufftw CUDA::curand
    CUDA::curand_static CUDA::cusolver CUDA::cusparse CUDA::nvrtc cublas curand
    CCCL::CCCL CCCL::CUB CCCL::Thrust CCCL::libcudacxx)
if(TARGET CUDA::nvtx3)  # CMake 3.25
  target_link_libraries(libraries PRIVATE CUDA::nvtx3)
endif()
add_test(NAME libraries COMMAND libraries)
";

const WITH_MODULE: &str = "\
cmake_minimum_required(VERSION 3.18)
project(module LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
enable_testing()
add_executable(module module.cpp)
target_link_libraries(module PRIVATE CUDA::cuda_driver CUDA::nvrtc)
add_custom_command(OUTPUT fill.fatbin COMMAND ${CMAKE_CUDA_COMPILER} -DVALUE=7
    -gencode=arch=compute_90,code=sm_90 -o fill.fatbin -fatbin ${CMAKE_CURRENT_SOURCE_DIR}/fill.cu
    DEPENDS fill.cu)
add_custom_target(image ALL DEPENDS fill.fatbin)
add_dependencies(module image)
add_test(NAME module COMMAND module)
";

const MODULE: &str = "\
#include <cuda.h>
#include <nvrtc.h>
int main() {
    CUcontext context;
    CUmodule module;
    CUfunction set;
    CUdeviceptr device;
    int host = 0, major, minor;
    cuInit(0), cuCtxCreate(&context, nullptr, 0, 0), cuMemAlloc(&device, 4);
    void* args[] = {&device};
    if (nvrtcVersion(&major, &minor) || cuModuleLoad(&module, \"fill.fatbin\")) return 1;
    if (cuModuleGetFunction(&set, module, \"_Z3setPi\")) return 2;
    if (cuLaunchKernel(set, 1, 1, 1, 1, 1, 1, 0, 0, args, 0)) return 3;
    return cuMemcpyDtoH(&host, device, 4) || host != 7;
}
";

const MAIN: &str = "\
#include <cstdio>
#include <cuda_runtime.h>
void fill(int* p);
int main() {
    int host = 0, *device;
    cudaMalloc(&device, sizeof host);
    fill(device);
    cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
    std::printf(\"%d\\n\", host);
    return host == 7 ? 0 : 1;
}
";

const FILL: &str = "\
__global__ void set(int* p) { *p = VALUE; }
void fill(int* p) { set<<<1, 1>>>(p); }
";

fn project(lists: &str) -> Folder {
    Folder::with(&[
        ("CMakeLists.txt", lists),
        ("main.cu", MAIN),
        ("host.cpp", MAIN),
        ("fill.cu", FILL),
        ("teams.cu", TEAMS),
        ("module.cpp", MODULE),
    ])
}

/// Configures, builds and tests the project of a folder.
fn build(folder: &Folder, options: &[&str]) {
    let this = Path::new(env!("CARGO_BIN_EXE_cuda-sim")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let run = |words: &[&str]| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).env("PATH", format!("{}:{path}", this.display()));
        command.env("XDG_CACHE_HOME", folder.path("cache"));
        let output = command.current_dir(folder.path("")).output().expect("CMake is installed");
        let text = [output.stdout, output.stderr].concat();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&text));
    };
    let configure = ["cmake", "-S", ".", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"];
    run(&[&configure[..], options].concat());
    run(&["cmake", "--build", "build"]);
    run(&["ctest", "--test-dir", "build", "--no-tests=error"]);
}

#[test]
#[ignore = "needs CMake: .ci/run cmake"]
fn a_project_with_libraries_is_built_tested_and_checked() {
    let folder = project(LISTS);
    build(&folder, &["-DCMAKE_CUDA_COMPILER=cuda-sim-nvcc"]);
    let said = folder.says(&["check", "build/compile_commands.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.starts_with("main.cu with fill.cu: passed\n1 file, 1 launch"), "{said:#?}");
    let said = folder.says(&["check", "build/use_fixed"]);
    assert!(said.stdout.contains("1 file, 1 launch, 0 findings"), "{said:#?}");
}

#[test]
#[ignore = "needs CMake: .ci/run cmake"]
fn a_project_with_cxx_and_the_toolkit_s_package_is_built_and_tested() {
    let folder = project(WITH_CXX);
    assert_eq!(folder.says(&["new", "toolkit", "toolkit"]).code, Some(0));
    let nvcc = folder.path("toolkit/bin/nvcc").display().to_string();
    build(
        &folder,
        &[
            &format!("-DCMAKE_CUDA_COMPILER={nvcc}"),
            "-DCMAKE_CXX_COMPILER_LAUNCHER=cuda-sim;launch",
            "-DCMAKE_CXX_LINKER_LAUNCHER=cuda-sim;launch",
        ],
    );
}

#[test]
#[ignore = "needs CMake: .ci/run cmake"]
fn a_project_of_the_package_cuda_is_built_and_tested() {
    let folder = project(BEFORE);
    std::fs::write(folder.path("value.h"), "#pragma once\n").unwrap();
    std::fs::write(folder.path("fill.cu"), format!("#include \"value.h\"\n{FILL}")).unwrap();
    assert_eq!(folder.says(&["new", "toolkit", "toolkit"]).code, Some(0));
    let toolkit = folder.path("toolkit").display().to_string();
    build(
        &folder,
        &[
            &format!("-DCUDA_TOOLKIT_ROOT_DIR={toolkit}"),
            "-DCMAKE_CXX_COMPILER_LAUNCHER=cuda-sim;launch",
            "-DCMAKE_CXX_LINKER_LAUNCHER=cuda-sim;launch",
        ],
    );
    let rules = folder.read("build/CMakeFiles/parts.dir/parts_generated_fill.cu.o.depend");
    assert!(rules.contains("/fill.cu\"") && rules.contains("/value.h\""), "{rules}");
}

#[test]
#[ignore = "needs CMake: .ci/run cmake"]
fn a_project_with_openmp_is_built_and_tested() {
    build(&project(WITH_OPENMP), &["-DCMAKE_CUDA_COMPILER=cuda-sim-nvcc"]);
}

#[test]
#[ignore = "needs CMake: .ci/run cmake"]
fn the_toolkit_has_cuda_s_libraries() {
    let folder = project(WITH_LIBRARIES);
    assert_eq!(folder.says(&["new", "toolkit", "toolkit"]).code, Some(0));
    let nvcc = folder.path("toolkit/bin/nvcc").display().to_string();
    build(&folder, &[&format!("-DCMAKE_CUDA_COMPILER={nvcc}")]);
}

#[test]
#[ignore = "needs CMake: .ci/run cmake"]
fn a_project_of_the_driver_api_is_built_and_tested() {
    build(
        &project(WITH_MODULE),
        &[
            "-DCMAKE_CUDA_COMPILER=cuda-sim-nvcc",
            "-DCMAKE_CXX_COMPILER_LAUNCHER=cuda-sim;launch",
            "-DCMAKE_CXX_LINKER_LAUNCHER=cuda-sim;launch",
        ],
    );
}

#[test]
#[ignore = "needs CMake: .ci/run cmake"]
fn the_compiler_alone_leads_to_the_toolkit() {
    let folder = project(WITH_LIBRARIES);
    build(&folder, &["-DCMAKE_CUDA_COMPILER=cuda-sim-nvcc"]);
}

/// As by nvcc: commas separate macros, unless a backslash, as CMake writes it, or quotes protect them.
#[cfg(unix)]
#[test]
fn an_option_may_define_several_macros() {
    let text = "#include <stdio.h>\n\
                int main() { int all[] = {LIST}; printf(\"%zu %d %d %s %s\\n\", sizeof all / 4, A, B, TEXT, NAME); }\n";
    let folder = Folder::with(&[("macros.cu", text)]);
    let words = r#"nvcc -DLIST=1\,2\,3 -DA=4,B=5 -DTEXT="a,b" -DNAME=\"c\" macros.cu -o macros"#;
    let words: Vec<&str> = words.split(' ').collect();
    let said = folder.says(&words);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said:#?}");
    assert_eq!(folder.says(&["run", "macros"]).stdout, "3 4 5 a,b c\n");
}
