//! `nvcc`: a build that calls it makes objects and an executable, which runs.

use crate::folder::Folder;
use std::path::Path;
use std::process::Command;

const MAIN: &str = "\
#include <cstdio>
#include \"fill.h\"
static int own() { return 1; }
int main(int argc, char** argv) {
    int host = 0, *device;
    cudaMalloc(&device, 4);
    fill(device);
    cudaMemcpy(&host, device, 4, cudaMemcpyDeviceToHost);
    printf(\"%d %d %s %d\\n\", host, own(), argc > 1 ? argv[1] : \"none\", WHAT);
    return host == 7 ? 0 : 3;
}
";

const FILL: &str = "\
#include \"fill.h\"
static int own() { return WHAT; }
__global__ void set(int* p, int value) { *p = value; }
void fill(int* p) { set<<<1, 1>>>(p, own()); }
";

fn project() -> Folder {
    let folder = Folder::with(&[("main.cu", MAIN), ("fill.cu", FILL)]);
    std::fs::create_dir(folder.path("include")).unwrap();
    std::fs::write(folder.path("include/fill.h"), "#pragma once\nvoid fill(int* p);\n").unwrap();
    folder
}

fn nvcc(folder: &Folder, words: &str) -> crate::folder::Said {
    let words: Vec<&str> = std::iter::once("nvcc").chain(words.split(' ')).collect();
    folder.says(&words)
}

/// What an executable prints, its exit code, and what it says.
#[cfg(unix)]
fn runs(path: &Path, arguments: &[&str], simulator: Option<&str>) -> (String, Option<i32>, String) {
    let mut command = Command::new(path);
    command.args(arguments).env("XDG_CACHE_HOME", path.with_file_name("cache"));
    if let Some(simulator) = simulator {
        command.env("CUDA_SIM", simulator);
    }
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), output.status.code(), text(output.stderr))
}

#[cfg(unix)]
#[test]
fn objects_with_macros_of_their_own_are_linked_and_run() {
    let folder = project();
    for words in [
        "-O2 -std=c++17 -arch=sm_90 -Iinclude -DWHAT=7 -MMD -MF fill.d -c fill.cu -o fill.o",
        "-O2 -gencode arch=compute_90,code=sm_90 -I include -D WHAT=5 -c main.cu",
        "-o program main.o fill.o -lcudart -Xcompiler -Wall",
    ] {
        let said = nvcc(&folder, words);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{words}: {said:#?}");
    }
    let rule = folder.read("fill.d");
    assert!(rule.starts_with("fill.o : ") && rule.contains("fill.cu"), "{rule}");
    assert!(rule.contains("include/fill.h"), "{rule}");
    let (printed, code, said) = runs(&folder.path("program"), &["x y"], None);
    assert_eq!((printed.as_str(), code), ("7 1 x y 5\n", Some(0)), "{said}");
    assert_eq!(said, "1 launch, 0 findings\n");
    // The simulator may be gone.
    let (_, code, said) = runs(&folder.path("program"), &[], Some("/no/such"));
    assert_eq!(code, Some(127));
    assert!(said.contains("the simulator '/no/such' is gone: install cuda-sim again"), "{said}");
}

/// A build's own makefiles and CMake's `FindCUDA` name the file by `-o`.
#[test]
fn rules_are_written_to_the_file_that_is_named() {
    let folder = project();
    std::fs::create_dir(folder.path("out")).unwrap();
    for (words, file, target) in [
        ("-M -D__CUDACC__ fill.cu -o fill.d", "fill.d", "fill.o"),
        ("-odir out -M -o out/fill.d fill.cu", "out/fill.d", "out/fill.o"),
        ("-MM -MT all fill.cu -o unused -MF=other.d", "other.d", "all"),
        ("-c -M -MP fill.cu -o phony.d", "phony.d", "fill.o"),
        ("-c -MD fill.cu -o out/made.o", "out/made.d", "out/made.o"),
        ("-c -MD -MF made.d fill.cu -odir out", "made.d", "out/fill.o"),
        ("-MMD main.cu fill.cu -c", "main.d", "main.o"),
        ("-MMD main.cu fill.o -o out/program", "out/program.d", "out/program"),
        ("-MMD main.cu fill.cu -o all", "fill.d", "all"),
    ] {
        let said = nvcc(&folder, &format!("-Iinclude -DWHAT=7 {words}"));
        let told = (said.code, said.stdout.as_str(), said.stderr.as_str());
        assert_eq!(told, (Some(0), "", ""), "{words}: {said:#?}");
        let rules = folder.read(file);
        let lines: Vec<&str> = rules.lines().map(|line| line.trim_end_matches(" \\")).collect();
        assert!(lines[0].starts_with(&format!("{target} : ")), "{words}: {rules}");
        assert!(lines[0].ends_with(".cu"), "{words}: {rules}");
        assert!(lines[1].starts_with("    ") && lines[1].ends_with("include/fill.h"), "{rules}");
        let phony = lines.iter().filter(|line| line.ends_with("include/fill.h:")).count();
        assert_eq!(phony, usize::from(words.contains("-MP")), "{words}: {rules}");
    }
    assert!(folder.path("out/fill.o").exists() && !folder.path("unused").exists());
    let said = nvcc(&folder, "-Iinclude -DWHAT=7 -M fill.cu");
    assert!(said.stdout.starts_with("fill.o : "), "{said:#?}");
}

#[cfg(unix)]
#[test]
fn openmp_is_a_team_of_one_thread() {
    let text = "\
        #ifndef _OPENMP\n\
        #error no OpenMP\n\
        #endif\n\
        #include <omp.h>\n\
        #include <cstdio>\n\
        int main() {\n\
            int members = 0;\n\
            omp_lock_t lock;\n\
            omp_init_lock(&lock);\n\
            #pragma omp parallel num_threads(4)\n\
            { omp_set_lock(&lock); members++; omp_unset_lock(&lock); }\n\
            omp_set_num_threads(4);\n\
            int busy = omp_test_lock(&lock), none = omp_test_lock(&lock);\n\
            printf(\"%d %d %d %d%d\\n\", _OPENMP, members, omp_get_max_threads(), busy, none);\n\
        }\n";
    let folder = Folder::with(&[("team.cu", text), ("team.cpp", text)]);
    std::fs::write(folder.path("libgomp.so.1"), b"\x7fELF\x02").unwrap();
    for words in [
        "-Xcompiler -fopenmp -c team.cu -o team.o",
        "-Xcompiler=-O3,-fopenmp -c team.cu -o team.o",
        "-Xcompiler ,\"-fopenmp\",\"-g\" -c team.cu -o team.o",
        "--compiler-options=-fopenmp -c team.cu -o team.o",
        "-c team.cu -o team.o -fopenmp -forward-unknown-to-host-compiler",
    ] {
        assert_eq!(nvcc(&folder, words).code, Some(0), "{words}");
        let said = nvcc(&folder, "-fopenmp team.o libgomp.so.1 -lgomp -o team");
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said:#?}");
        let (printed, _, said) = runs(&folder.path("team"), &[], None);
        assert_eq!(printed, "201511 1 1 10\n", "{words}: {said}");
    }
    for words in [
        &["run", "-Xcompiler", "-fopenmp", "team.cu"][..],
        &["launch", "c++", "-fopenmp", "-c", "team.cpp"],
    ] {
        let said = folder.says(words);
        assert_eq!(said.code, Some(0), "{said:#?}");
    }
    let said = nvcc(&folder, "team.cu -o team");
    assert!(said.code == Some(1) && said.stderr.contains("no OpenMP"), "{said:#?}");
    // What a library of the system would give is missing, and the library is named.
    std::fs::write(folder.path("calls.cu"), "int there(); int main() { return there(); }").unwrap();
    let said = nvcc(&folder, "calls.cu libgomp.so.1");
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stderr.contains("`libgomp.so.1` is of another compiler"), "{said:#?}");
}

/// A header of a library that is not here is not hidden by an empty one.
#[cfg(unix)]
#[test]
fn a_library_of_the_toolkit_is_linked_and_refused_where_it_is_used() {
    let uses = "#include <nvjpeg.h>\nint main() { nvjpegHandle_t handle; }\n";
    let folder = Folder::with(&[("uses.cu", uses), ("plain.cu", "int main() { return 0; }\n")]);
    assert_eq!(folder.says(&["new", "toolkit", "kit"]).code, Some(0));
    let libraries = "-Lkit/lib64 -lcublas -lcufft -lcurand -lcusparse -lnvToolsExt -lcudadevrt";
    let said = nvcc(&folder, &format!("plain.cu -Ikit/include {libraries}"));
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said:#?}");
    let said = nvcc(&folder, &format!("uses.cu -Ikit/include {libraries}"));
    assert!(said.stderr.contains("does not support the header <nvjpeg.h>"), "{said:#?}");
    for header in
        ["cublas_v2.h", "cufft.h", "curand.h", "cusolverDn.h", "cusparse.h", "nvtx3/nvToolsExt.h"]
    {
        assert!(folder.path(&format!("kit/include/{header}")).exists(), "{header}");
    }
}

/// `auto` takes its type from what another file defines.
#[cfg(unix)]
#[test]
fn a_file_is_checked_alone_though_others_define_what_it_calls() {
    let header = "#pragma once\n\
        struct Shape { Shape(int n); int n; static Shape unit(); int area() const; };\n\
        __host__ __device__ inline int one() { return 1; }\n\
        Shape twice(const Shape& shape);\n";
    let main = "\
        #include <cstdio>\n\
        #include \"shape.h\"\n\
        static int of(int n) { auto made = twice(Shape(n)); return made.area(); }\n\
        int main() {\n\
            auto unit = Shape::unit();\n\
            auto* there = new Shape(3);\n\
            auto area = there->area();\n\
            auto more = of(4);\n\
            printf(\"%d %d %d\\n\", unit.area(), area, more + one());\n\
        }\n";
    let shape = "\
        #include \"shape.h\"\n\
        Shape::Shape(int n) : n(n) {}\n\
        Shape Shape::unit() { return Shape(1); }\n\
        int Shape::area() const { return n * n; }\n\
        Shape twice(const Shape& shape) { return Shape(2 * shape.n); }\n";
    let folder = Folder::with(&[("main.cu", main), ("shape.cu", shape), ("shape.h", header)]);
    for words in ["-c main.cu", "-c shape.cu", "-o program main.o shape.o"] {
        let said = nvcc(&folder, words);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{words}: {said:#?}");
    }
    let (printed, code, said) = runs(&folder.path("program"), &[], None);
    assert_eq!((printed.as_str(), code), ("1 9 65\n", Some(0)), "{said}");
    // Without the other file each name that is missing is said once, and nothing else.
    let said = nvcc(&folder, "-o program main.o");
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert_eq!(said.stderr.matches("error").count(), 4, "{said:#?}");
    assert_eq!(said.stderr.matches("is declared and never defined").count(), 4, "{said:#?}");
}

/// A copy that is called nvcc makes executables, and runs them.
#[cfg(unix)]
#[test]
fn a_copy_of_the_command_may_be_called_nvcc() {
    let folder = Folder::with(&[("one.cu", "int main(int count, char**) { return count; }")]);
    let (copy, program) = (folder.path("nvcc"), folder.path("one"));
    std::fs::copy(env!("CARGO_BIN_EXE_cuda-sim"), &copy).unwrap();
    let made = Command::new(&copy).arg(folder.path("one.cu")).arg("-o").arg(&program).status();
    assert_eq!(made.unwrap().code(), Some(0));
    assert_eq!(runs(&program, &["more", "words"], None).1, Some(3));
}

#[cfg(unix)]
#[test]
fn sources_are_linked_at_once_and_a_failure_is_the_program_s() {
    let folder = project();
    let said = nvcc(&folder, "-Iinclude -DWHAT=8 main.cu fill.cu");
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert_eq!(runs(&folder.path("a.out"), &[], None).1, Some(3));
}

#[cfg(unix)]
#[test]
fn a_library_gives_what_is_needed_and_a_file_gives_options() {
    let folder = project();
    // A second definition of `fill` and a second `main`, which no program needs.
    let other = "int main() { return 1; }\nvoid other() {}\n";
    std::fs::write(folder.path("other.cu"), other).unwrap();
    std::fs::write(folder.path("what.h"), "#define WHAT 7\n").unwrap();
    std::fs::write(folder.path("options.rsp"), "-I include -include \"what.h\"").unwrap();
    for words in [
        "--options-file options.rsp -c fill.cu",
        "-c other.cu",
        "-optf options.rsp -c main.cu",
        "-lib other.o fill.o -o libparts.a",
        "-shared -Wl,-soname,libdynamic.so -o libdynamic.so fill.o",
        "-o by_so main.o -Wl,-rpath,. -rdynamic -L. -ldynamic",
        "-optf options.rsp -dlink fill.o -o device.o",
        "-optf options.rsp main.cu device.o -L. -lparts -lcudart -o by_name",
        "-optf options.rsp main.cu libparts.a -o by_path",
    ] {
        let said = nvcc(&folder, words);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{words}: {said:#?}");
    }
    for program in ["by_name", "by_path", "by_so"] {
        let (printed, code, said) = runs(&folder.path(program), &[], None);
        assert_eq!((printed.as_str(), code), ("7 1 none 7\n", Some(0)), "{said}");
    }
    // An archive of `ar` is the same, and what is foreign in it is named.
    let ar = |words: &str| {
        let status =
            Command::new("ar").args(words.split(' ')).current_dir(folder.path(".")).status();
        status.unwrap().success()
    };
    assert!(ar("rcs libby_ar.a other.o fill.o"));
    assert_eq!(nvcc(&folder, "-optf options.rsp main.cu libby_ar.a").code, Some(0));
    // So may `main` be: alone in its archive, or beside what it calls.
    assert!(ar("rcs libmain.a main.o") && ar("rcs liball.a main.o fill.o"));
    for (words, program) in
        [("fill.o libmain.a -o main_there", "main_there"), ("liball.a -o all_there", "all_there")]
    {
        assert_eq!(nvcc(&folder, words).code, Some(0), "{words}");
        assert_eq!(runs(&folder.path(program), &[], None).1, Some(0), "{words}");
    }
    std::fs::write(folder.path("foreign.o"), b"\x7fELF\x02").unwrap();
    assert!(ar("rcs libforeign.a foreign.o"));
    let said = nvcc(&folder, "-optf options.rsp main.cu libforeign.a");
    assert!(said.stderr.contains("`libforeign.a(foreign.o)` is of another compiler"), "{said:#?}");
    // What was built is run and checked as it is, and `-run` runs it at once.
    let said = folder.says(&["run", "by_name", "--", "word"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), "7 1 word 7\n"), "{said:#?}");
    let said = nvcc(&folder, "-optf options.rsp -run -run-args word main.cu fill.cu");
    assert_eq!((said.code, said.stdout.as_str()), (Some(0), "7 1 word 7\n"), "{said:#?}");
}

/// A file of a library, or of a folder, is taken for the variables that it defines, too.
#[cfg(unix)]
#[test]
fn a_file_of_variables_alone_is_linked() {
    let main = "#include \"tables.h\"\n\
                int main() { return Table::size + rows - 1 - first[1] - names::number; }\n";
    let folder = Folder::with(&[
        (
            "tables.h",
            "struct Table { static int size; };\nextern const int rows; extern int first[2];\n\
             namespace names { extern int number; }\n",
        ),
        ("main.cu", main),
        ("other.cu", "#include \"tables.h\"\nint use() { return Table::size; }\n"),
        ("size.cu", "#include \"tables.h\"\nint Table::size = 4;\n"),
        (
            "rows.cu",
            "#include \"tables.h\"\nconst int rows = 8;\nint first[] = {1, 2};\n\
             namespace names { int number = 9; }\n",
        ),
    ]);
    for words in
        ["-c other.cu size.cu rows.cu", "-lib other.o size.o rows.o -o all.a", "main.cu all.a"]
    {
        let said = nvcc(&folder, words);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{words}: {said:#?}");
    }
    assert_eq!(runs(&folder.path("a.out"), &[], None).1, Some(0));
    let said = folder.says(&["run", "."]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("main.cu with"), "{said:#?}");
    assert!(said.stdout.contains("other.cu: left out"), "{said:#?}");
}

#[cfg(unix)]
#[test]
fn the_host_s_compiler_is_launched_for_what_is_not_ours() {
    let folder = project();
    std::fs::write(folder.path("main.cpp"), MAIN).unwrap();
    assert_eq!(nvcc(&folder, "-Iinclude -DWHAT=7 -c fill.cu").code, Some(0));
    for words in [
        "c++ -std=gnu++17 -fPIC -Wall -march=native -Iinclude -DWHAT=5 -o main.o -c main.cpp",
        "c++ -O3 -rdynamic main.o fill.o -o program -lrt -ldl",
    ] {
        let words: Vec<&str> = std::iter::once("launch").chain(words.split(' ')).collect();
        let said = folder.says(&words);
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{words:?}: {said:#?}");
    }
    let (printed, code, said) = runs(&folder.path("program"), &[], None);
    assert_eq!((printed.as_str(), code), ("7 1 none 5\n", Some(0)), "{said}");
    let said = folder.says(&["launch", "sh", "-c", "echo other; exit 4"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(4), "other\n"), "{said:#?}");
    let said = folder.says(&["launch", "no-compiler", "-E"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains("`no-compiler` does not start: "), "{said:#?}");
    assert!(said.stderr.contains("help: name the host's compiler behind `launch`"), "{said:#?}");
    // A build that quotes its compiler needs one word, and some look for a toolkit.
    let one_word = Command::new(env!("CARGO_BIN_EXE_cuda-sim-nvcc")).arg("--version").output();
    let one_word = String::from_utf8(one_word.unwrap().stdout).unwrap();
    assert!(one_word.contains("release 13.0"), "{one_word}");
    assert_eq!(folder.says(&["new", "toolkit", "toolkit"]).code, Some(0));
    let (said, code, _) = runs(&folder.path("toolkit/bin/nvcc"), &["-v", "x.cu"], None);
    assert_eq!(code, Some(2));
    assert!(said.contains("toolkit/bin/nvcc\" -o \"a.out\""), "{said}");
    let said = folder.says(&["new", "toolkit", "toolkit"]);
    assert!(said.stderr.contains("`toolkit` exists\nhelp: choose another name"), "{said:#?}");
}

#[cfg(unix)]
#[test]
fn a_command_without_the_one_beside_it_names_it() {
    let folder = Folder::with(&[]);
    let path = |name: &str| folder.path(name);
    let says = |name: &str, words: &[&str]| {
        let (printed, code, said) = runs(&path(name), words, None);
        (code, printed + &said)
    };
    let both = "`cargo install --path tools/cuda-sim --locked`";
    let alone = path("cuda-sim-nvcc").display().to_string();
    let simulator = path("cuda-sim").display().to_string();
    // In a process of its own: a file that another thread's child has open for writing cannot run.
    let copy = |from: &str| {
        assert!(Command::new("cp").arg(from).arg(path("")).status().unwrap().success());
    };
    copy(env!("CARGO_BIN_EXE_cuda-sim-nvcc"));
    let (code, said) = says("cuda-sim-nvcc", &["-c", "a.cu"]);
    assert_eq!(code, Some(127), "{said}");
    assert!(said.starts_with(&format!("error: there is no `{simulator}`, which")), "{said}");
    assert!(said.contains(both), "{said}");

    std::fs::remove_file(path("cuda-sim-nvcc")).unwrap();
    copy(env!("CARGO_BIN_EXE_cuda-sim"));
    let (_, said) = says("cuda-sim", &["nvcc", "-v", "x.cu"]);
    assert!(said.contains(&format!("CMake would link with `{alone}`, which is not")), "{said}");
    assert!(said.contains(both), "{said}");
    // A link called nvcc is a command of one word, too.
    std::os::unix::fs::symlink(path("cuda-sim"), path("nvcc")).unwrap();
    let (_, said) = says("nvcc", &["-v", "x.cu"]);
    let link = path("nvcc").display().to_string();
    assert!(said.contains(&format!("#$ \"{link}\" -o")) && !said.contains("note: "), "{said}");

    assert_eq!(
        says("cuda-sim", &["new", "toolkit", &path("kit").display().to_string()]).0,
        Some(0)
    );
    std::fs::remove_file(path("cuda-sim")).unwrap();
    let (code, said) = says("kit/bin/nvcc", &["-v"]);
    assert_eq!(code, Some(127), "{said}");
    assert!(said.contains("is gone: install cuda-sim again, and make this folder"), "{said}");
}

#[cfg(unix)]
#[test]
fn an_executable_whose_source_is_gone_says_so() {
    let folder = project();
    assert_eq!(nvcc(&folder, "-Iinclude -DWHAT=8 main.cu fill.cu").code, Some(0));
    std::fs::remove_file(folder.path("fill.cu")).unwrap();
    let (_, code, said) = runs(&folder.path("a.out"), &[], None);
    assert_eq!(code, Some(2));
    assert!(said.contains("fill.cu` is not read: "), "{said}");
    assert!(said.contains("an executable is run from its sources: keep them"), "{said}");
}

#[test]
fn what_does_not_compile_leaves_no_object() {
    let folder = project();
    std::fs::write(folder.path("fill.cu"), FILL.replace("*p = value", "*p = valeu")).unwrap();
    let said = nvcc(&folder, "-Iinclude -DWHAT=8 -c fill.cu");
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stderr.contains("fill.cu:3:"), "{said:#?}");
    assert!(!folder.path("fill.o").exists());
}

#[test]
fn bad_input_is_named_with_a_remedy() {
    let folder = project();
    std::fs::write(folder.path("foreign.o"), b"\x7fELF\x02").unwrap();
    std::fs::write(folder.path("old.o"), "cuda-sim object\n{\"version\":9,\"parts\":[]}\n")
        .unwrap();
    std::fs::write(folder.path("broken.o"), "cuda-sim object\n{\n").unwrap();
    for (words, wanted) in [
        ("foreign.o -o x", "`foreign.o` is of another compiler"),
        ("include/fill.h -o x", "`include/fill.h` is neither a source nor an object"),
        ("old.o -o x", "`old.o` is of version 9, and this reads 1"),
        ("broken.o -o x", "`broken.o` is damaged"),
        ("mian.cu -c", "help: did you mean `main.cu`?"),
        ("-o x", "no input file is named"),
        ("-E main.cu", "cannot do -E (a program is run from its sources)"),
        ("-optf no.rsp main.cu", "the file of options `no.rsp` is not read"),
        ("--frobnicate main.cu", "no option `--frobnicate` is known"),
        ("--relocatable-device-cod main.cu", "help: did you mean `-relocatable-device-code`?"),
        ("-Iinclude -DWHAT=1 fill.cu -o x", "no source of `x` has a `main`"),
        ("-c -o x.o main.cu fill.cu", "`-o` names one file"),
        ("-M -o x.d main.cu fill.cu", "one file is named for rules"),
        ("-c -MD -MF x.d main.cu fill.cu", "one file is named for rules"),
    ] {
        let said = nvcc(&folder, words);
        assert_eq!(said.code, Some(2), "{words}: {said:#?}");
        assert!(said.stderr.contains(wanted) && said.stderr.contains("help: "), "{said:#?}");
    }
    // As CMake asks for it.
    let said = nvcc(&folder, "-v __cmake_determine_cuda");
    assert!(said.stdout.contains("#$ TOP="), "{said:#?}");
    assert!(said.stdout.contains("cuda-sim-nvcc\" -o \"a.out\" \"-L"), "{said:#?}");
    assert!(said.stdout.contains("\nld -lcudart_static \"-L"), "{said:#?}");
    let said = nvcc(&folder, "--version");
    assert!(said.stdout.contains("release 13.0"), "{said:#?}");
    let said = nvcc(&folder, "-dryrun -O3 main.cu fill.cu -o x");
    assert!(said.stdout.starts_with("link ") && said.stderr.contains("-O3"), "{said:#?}");
    assert!(!folder.path("x").exists());
}

#[test]
fn a_main_without_a_return_is_no_warning() {
    let folder = Folder::with(&[("main.cu", "int main() {}\n")]);
    let said = nvcc(&folder, "-c main.cu -o main.o");
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said:#?}");
}

#[test]
fn headers_of_the_toolkit_folder_are_the_built_in_ones() {
    let text = "#include <cublas_v2.h>\n#include <cufft.h>\n#include <curand.h>\n\
        int main() { cublasHandle_t h; cufftHandle p; curandGenerator_t g; return cublasCreate(&h); }\n";
    let folder = Folder::with(&[("libraries.cu", text)]);
    assert_eq!(folder.says(&["new", "toolkit", "toolkit"]).code, Some(0));
    for option in ["-Itoolkit/include", "-isystem toolkit/include"] {
        let said = nvcc(&folder, &format!("{option} --threads=2 -opt-info inline -c libraries.cu"));
        assert_eq!(said.code, Some(0), "{option}: {said:#?}");
    }
}

#[cfg(unix)]
#[test]
fn a_warning_is_said_once_when_its_source_is_compiled() {
    let part = "int part() { }\n";
    let main = "int part();\nint unsaid() { }\nint main() { return 0; }\n";
    let folder = Folder::with(&[("main.cpp", main), ("part.cpp", part)]);
    let warnings = |said: &crate::folder::Said| said.stderr.matches("warning[").count();
    let said = nvcc(&folder, "-c part.cpp");
    assert_eq!((said.code, warnings(&said)), (Some(0), 1), "{said:#?}");
    // The source that this command compiles is new, and the object's is not.
    let said = nvcc(&folder, "main.cpp part.o -o mixed");
    assert_eq!((said.code, warnings(&said)), (Some(0), 1), "{said:#?}");
    assert!(said.stderr.contains("main.cpp:2:"), "{said:#?}");
    let said = nvcc(&folder, "-c main.cpp");
    assert_eq!(warnings(&said), 1, "{said:#?}");
    let said = nvcc(&folder, "main.o part.o -o program");
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said:#?}");
    let (_, code, stderr) = runs(&folder.path("program"), &[], None);
    assert_eq!((code, stderr.as_str()), (Some(0), "0 launches, 0 findings\n"));
    // Who gives an executable to `check` wants to know.
    let said = folder.says(&["check", "program"]);
    assert!(said.stdout.contains("warning[return]"), "{said:#?}");
}

/// `-ccbin $(CXX)`, where `CXX` is what the README says.
#[test]
fn a_compiler_of_several_words_is_passed_over() {
    let folder = project();
    for compiler in [
        "-ccbin g++",
        "-ccbin cuda-sim launch g++",
        "-ccbin=cuda-sim launch g++",
        "-ccbin /opt/bin/cuda-sim launch ccache g++",
        "--compiler-bindir ccache g++",
    ] {
        let said = nvcc(&folder, &format!("{compiler} -Iinclude -DWHAT=7 -c fill.cu -o fill.o"));
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{compiler}: {said:#?}");
        std::fs::remove_file(folder.path("fill.o")).unwrap();
    }
    let said = nvcc(&folder, "-ccbin g++ fill.cu other.cu -Iinclude -DWHAT=7 -c");
    assert!(said.stderr.contains("there is no `other.cu`"), "{said:#?}");
    let said = nvcc(&folder, "-foo fill.cu");
    assert!(said.stderr.contains("`Options of nvcc` in tools/cuda-sim/README.md"), "{said:#?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_that_is_nowhere_is_named() {
    let folder = project();
    std::fs::create_dir(folder.path("lib")).unwrap();
    std::fs::write(folder.path("lib/libhere.so.2"), "").unwrap();
    let built = "-Iinclude -DWHAT=7 main.cu fill.cu -o program -lcudart -lm -lpthread -Llib -lhere";
    let said = nvcc(&folder, built);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{said:#?}");
    let said = nvcc(&folder, &format!("{built} -lno_such"));
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stderr.contains("no library `no_such` is found for `-lno_such`"), "{said:#?}");
}

#[test]
fn what_is_undefined_is_said_once() {
    let text = "template <class T> void fill(T value);\n\
                int main() { fill(1); fill(2.5); }\n";
    let folder = Folder::with(&[("main.cu", text)]);
    let said = nvcc(&folder, "main.cu -o program");
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert_eq!(said.stderr.matches("error[undefined]").count(), 1, "{said:#?}");
}

#[cfg(unix)]
#[test]
fn a_file_is_called_as_the_command_line_calls_it() {
    let text = "\
#include <cstdio>
#include \"here.h\"
#include \"there.h\"
__global__ void names() { printf(\"%s\\n\", __FILE__); }
int main() { names<<<1, 1>>>(); cudaDeviceSynchronize(); printf(\"%s %s\\n\", here(), there()); }
";
    let folder = Folder::with(&[]);
    for below in ["src", "build", "include"] {
        std::fs::create_dir(folder.path(below)).unwrap();
    }
    let header = |name: &str| format!("inline const char* {name}() {{ return __FILE__; }}\n");
    std::fs::write(folder.path("src/a.cu"), text).unwrap();
    std::fs::write(folder.path("src/here.h"), header("here")).unwrap();
    std::fs::write(folder.path("include/there.h"), header("there")).unwrap();
    for (below, words, wanted) in [
        ("", "nvcc -Iinclude src/a.cu -o a", "src/a.cu\nsrc/here.h include/there.h\n"),
        ("src", "nvcc -I ../include a.cu -o ../a", "a.cu\nhere.h ../include/there.h\n"),
        ("build", "nvcc -I../include ../src/a.cu -o ../a", "../src/a.cu\n../src/here.h "),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let said = folder.says_in(below, &words);
        assert_eq!(said.code, Some(0), "{said:#?}");
        let (printed, ..) = runs(&folder.path("a"), &[], None);
        assert!(printed.starts_with(wanted), "{printed}");
    }
    // So do messages, for an editor that reads them where the build runs.
    std::fs::write(folder.path("src/a.cu"), "int main() { return nope; }\n").unwrap();
    let said = folder.says_in("build", &["nvcc", "-c", "../src/a.cu"]);
    assert!(said.stderr.contains("--> ../src/a.cu:1:21"), "{said:#?}");
}

#[test]
fn a_refused_option_has_a_remedy_of_its_own() {
    let folder = project();
    for (option, words) in [
        ("-E", "`cuda-sim nvcc -M` lists the headers"),
        ("-fmad=false", "`__fmul_rn(a, b) + c` is not contracted"),
    ] {
        for command in ["nvcc", "run"] {
            let said = folder.says(&[command, option, "main.cu"]);
            assert_eq!(said.code, Some(2), "{said:#?}");
            assert!(said.stderr.contains(words), "{said:#?}");
        }
    }
}
