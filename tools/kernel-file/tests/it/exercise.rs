//! Exercises: what a file must hold, and what a check accepts and rejects.

use expect_test::expect;
use kernel_file::exercise::{BEGIN, Checked, Checker, END};
use kernel_file::fill::{ElementType, Fill};
use kernel_file::{Exercise, Problem};

/// Sums of 32 numbers, through shared memory and without conflicts.
pub(crate) const SUMS: &str = "\
//! # Sum the numbers of a block
//!
//! Thread 0 stores the sum of its block's 64 numbers.
//!
//! ## Hint
//! Use shared memory.
//!
//! ## Why it works
//! Neighbours read neighbours.
//@ exercise write, 20 minutes
//@ gate shared_load_conflicts = 0
//@ gate barriers <= 32 * ((n + 63) / 64)
//@ input in: int[n] = lcg256
//@ output out: int[(n + 63) / 64] = poison
//@ launch sums(in, out, n) grid = (n + 63) / 64, block = 64
//@ test 1, 31, 64, 65, 129, 1021
//@ page 1024

__global__ void sums(const int* in, int* out, int n) {
    __shared__ int all[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    all[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) all[threadIdx.x] += all[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = all[0];
    //@ starter
    //| // Your turn.
    //@ wrong race: no barrier before the first step
    //| all[threadIdx.x] = i < n ? in[i] : 0;
    //| if (threadIdx.x == 0) {
    //|     int sum = 0;
    //|     for (int k = 0; k < 64; k++) sum += all[k];
    //|     out[blockIdx.x] = sum;
    //| }
    //@ wrong bounds: the last block has fewer numbers
    //| all[threadIdx.x] = in[i];
    //@ wrong result: the block's number is missing
    //| if (threadIdx.x == 0) out[blockIdx.x] = 0;
    //@ end
}

__host__ __device__ int sum_from(const int* in, int n, int first) {
    int sum = 0;
    for (int k = first; k < first + 64 && k < n; k++) sum += in[k];
    return sum;
}

__host__ __device__ int expected(const int* in, int n, int i) { return sum_from(in, n, 64 * i); }
";

fn parse(text: &str) -> Exercise {
    Exercise::parse("x.cu", text.to_owned())
        .unwrap_or_else(|problems| panic!("{}", lines(&problems)))
}

fn lines(problems: &[Problem]) -> String {
    let line = |p: &Problem| format!("{}:{}:{}: {}\n", p.file, p.line, p.column, p.message);
    problems.iter().map(line).collect()
}

/// The starter with this in its region.
fn attempt(exercise: &Exercise, region: &str) -> String {
    exercise.starter().replace("    // Your turn.\n", region)
}

fn check(exercise: &Exercise, region: &str) -> Checked {
    let checker = Checker::new(exercise, Vec::new()).unwrap_or_else(|p| panic!("{}", lines(&p)));
    checker.check("mine.cu", &attempt(exercise, region), 7)
}

pub(crate) fn code(checked: &Checked) -> &str {
    checked.failure.as_ref().map_or("passes", |failure| &failure.code)
}

#[test]
fn the_reader_gets_the_statement_the_fixed_lines_and_the_starter() {
    let starter = parse(SUMS).starter();
    let end = starter.find("__host__").unwrap();
    expect![[r#"
        //! # Sum the numbers of a block
        //!
        //! Thread 0 stores the sum of its block's 64 numbers.
        //@ input in: int[n] = lcg256
        //@ output out: int[(n + 63) / 64] = poison
        //@ launch sums(in, out, n) grid = (n + 63) / 64, block = 64
        //@ test 1, 31, 64, 65, 129, 1021
        //@ page 1024

        __global__ void sums(const int* in, int* out, int n) {
            __shared__ int all[64];
            int i = blockIdx.x * blockDim.x + threadIdx.x;
            // --- your code ---
            // Your turn.
            // --- end of your code ---
        }

    "#]]
    .assert_eq(&starter[..end]);
}

#[test]
fn the_file_keeps_its_promises() {
    let exercise = parse(SUMS);
    assert_eq!(lines(&exercise.audit(Vec::new())), "");
    assert_eq!((exercise.minutes, exercise.hints.len(), exercise.wrongs().count()), (20, 1, 3));
    assert_eq!(exercise.statement, "Thread 0 stores the sum of its block's 64 numbers.");
    assert_eq!(exercise.why, "Neighbours read neighbours.");
}

#[test]
fn other_right_answers_pass() {
    let exercise = parse(SUMS);
    for right in [
        // Sequential addressing with a warp's shuffles at the end.
        "all[threadIdx.x] = i < n ? in[i] : 0;
         __syncthreads();
         int sum = threadIdx.x < 32 ? all[threadIdx.x] + all[threadIdx.x + 32] : 0;
         for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
         if (threadIdx.x == 0) out[blockIdx.x] = sum;\n",
        // An atomic on shared memory.
        "if (threadIdx.x == 0) all[0] = 0;
         __syncthreads();
         if (i < n) atomicAdd(&all[0], in[i]);
         __syncthreads();
         if (threadIdx.x == 0) out[blockIdx.x] = all[0];\n",
    ] {
        let checked = check(&exercise, right);
        assert_eq!(code(&checked), "passes", "{checked:#?}");
        assert!(checked.gates.len() == 2 && checked.gates.iter().all(|row| row.holds));
    }
}

#[test]
fn wrong_answers_and_ways_around_are_rejected_each_with_its_code() {
    let exercise = parse(SUMS);
    let tree = |stride: &str| {
        format!(
            "__shared__ int wide[64 * 32];
             int at = {stride} * threadIdx.x;
             wide[at] = i < n ? in[i] : 0;
             __syncthreads();
             for (int half = 32; half > 0; half /= 2) {{
                 if (threadIdx.x < half) wide[at] += wide[at + {stride} * half];
                 __syncthreads();
             }}
             if (threadIdx.x == 0) out[blockIdx.x] = wide[0];\n"
        )
    };
    let wide = tree("32");
    for (wanted, region) in [
        ("result", ""),
        ("compile", "int x = ;\n"),
        ("frame", "//@ page 5\n"),
        ("endless", "while (n) all[threadIdx.x] = 1;\n"),
        ("bounds", "if (threadIdx.x == 0) out[blockIdx.x + 1] = in[0];\n"),
        ("result", "if (threadIdx.x == 0) out[blockIdx.x] = 0;\n"),
        ("reference", "if (threadIdx.x == 0) out[blockIdx.x] = expected(in, n, blockIdx.x);\n"),
        (
            "reference",
            "if (threadIdx.x == 0) out[blockIdx.x] = sum_from(in, n, 64 * blockIdx.x);\n",
        ),
        ("reference", "#define JOIN(a, b) a##b\n"),
        // The compiler joins lines before it sees names.
        ("reference", "int x = exp\\\nected(in, n, 0);\n"),
        ("reference", "#define JOIN(a, b) a#\\ \n#b\n"),
        // It would hide fixed lines from the compiler, or bring its own condition to an end in them.
        ("frame", "#if 0\n"),
        ("frame", "#endif\n"),
        ("host", "} int main() { return 0;\n"),
        ("clock", "if (clock64() % 2 == 0) return;\n"),
        ("clock", "int x; asm volatile(\"mov.u32 %0, %clock;\" : \"=r\"(x));\n"),
        // It would run with the others.
        ("frame", "//@ launch sums(in, out, n) grid = 1, block = 64\n"),
        ("frame", "    //@ tolerance abs 1e30\n"),
        ("gate shared_load_conflicts", &wide),
        (
            "serial",
            "if (threadIdx.x == 0) {
                 int sum = 0;
                 for (int k = 0; k < 64; k++) sum += i + k < n ? in[i + k] : 0;
                 out[blockIdx.x] = sum;
             }\n",
        ),
        (
            "traffic",
            "int sum = 0;
             int first = i - threadIdx.x;
             for (int k = 0; k < 64; k++) sum += first + k < n ? in[first + k] : 0;
             if (threadIdx.x == 0) out[blockIdx.x] = sum;
             for (int k = 0; k < 4; k++) sum += i < n ? in[(i * 33 + k * 97) % n] : 0;
             all[threadIdx.x] = sum;\n",
        ),
        (
            "input",
            "int* mine = (int*)in;
             if (threadIdx.x == 0) {
                 for (int k = 1; k < 64 && i + k < n; k++) mine[i] += mine[i + k];
                 out[blockIdx.x] = mine[i];
             }\n",
        ),
    ] {
        let checked = check(&exercise, region);
        let failure = checked.failure.clone().unwrap_or_else(|| panic!("this passes: {region}"));
        assert_eq!(code(&checked), wanted, "{region}\n{}", failure.message);
        assert!(!failure.next.is_empty() && !failure.message.is_empty());
        // A macro that is defined elsewhere changes nothing about what is expected.
        let macro_too = format!("#define return return 0 *\n{region}");
        assert_ne!(code(&check(&exercise, &macro_too)), "passes");
    }
}

#[test]
fn the_same_seed_gives_the_same_answer_and_names_lines_of_the_attempt() {
    let exercise = parse(SUMS);
    let region =
        "all[threadIdx.x] = i < n ? in[i] : 0;\nif (threadIdx.x == 0) out[blockIdx.x] = all[1];\n";
    let checked = check(&exercise, region);
    assert_eq!(checked, check(&exercise, region));
    let failure = checked.failure.unwrap();
    assert_eq!((failure.code.as_str(), failure.n), ("race", Some(1)));
    let text = attempt(&exercise, region);
    let line = text.lines().nth(failure.problems[0].line as usize - 1).unwrap();
    assert!(region.contains(line), "{line}");
}

#[test]
fn fixed_lines_may_not_change() {
    let exercise = parse(SUMS);
    let checker = Checker::new(&exercise, Vec::new()).unwrap();
    let solved = exercise.solved();
    let refused = |text: &str| {
        let failure = checker.check("mine.cu", text, 1).failure.unwrap();
        assert_eq!(failure.code, "frame", "{}", failure.message);
        format!("{}: {}", failure.problems[0].line, failure.message)
    };
    let changed = solved.replace("int all[64]", "int all[65]");
    assert!(
        refused(&changed).starts_with(
            "11: this line is not part of your code; put back `__shared__ int all[64];`"
        )
    );
    assert!(refused(&solved.replace("//@ page 1024", "//@ page 1")).starts_with("8: "));
    assert!(refused(&solved.replace(BEGIN, "")).starts_with("14: "));
    assert!(refused(&solved.replace(END, "")).starts_with("13: the comment"));
    assert!(refused(&format!("{solved}int more;\n")).contains("behind the end"));
    assert!(refused("").contains("the end of the file is missing"));
    // Blanks are nobody's business, nor is how the lines end.
    for same in
        [solved.replace('\n', "\r\n"), solved.replace('\n', "\n\n"), solved.replace("    ", "\t")]
    {
        assert_eq!(checker.check("mine.cu", &same, 1).failure, None);
    }
}

#[test]
fn structs_and_includes_may_stand_before_the_kernel() {
    let exercise = parse(SUMS);
    let checker = Checker::new(&exercise, Vec::new()).unwrap();
    let solved = exercise.solved();
    let kernel = solved.lines().find(|line| line.contains("__global__")).unwrap();
    let with = |own: &str| {
        let text = solved.replace(kernel, &format!("{own}\n{kernel}"));
        checker.check("mine.cu", &text, 1).failure.map_or_else(String::new, |f| f.code)
    };
    let helper =
        "struct Pair {\n    int a, b;\n    __device__ int sum() const { return a + b; }\n};";
    assert_eq!(with(helper), "");
    assert_eq!(with("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;"), "");
    // What would change the fixed lines, or the check itself.
    for refused in
        ["/*", "// \\", "#define n 5", "struct Pair {", "#include \"mine.h\"", "//@ page 5"]
    {
        assert_eq!(with(refused), "frame", "{refused}");
    }
    assert_eq!(with("int mine(const int* in) { return expected(in, 1, 0); }"), "reference");
}

#[test]
fn a_number_whose_address_is_taken_is_no_local_memory() {
    let text = ADD.replace("//@ page 33", "//@ page 33\n//@ gate local_requests = 0");
    let lambda =
        "    auto add = [&](int by) { i += by; };\n    add(0);\n    if (i < n) out[i] = in[i] + 1;";
    assert_eq!(code(&check_add_of(&text, "", lambda)), "passes");
    let array = "    int all[4];\n    all[i % 4] = 1;\n    if (i < n) out[i] = in[i] + all[i % 4];";
    let checked = check_add_of(&text, "", array);
    assert_eq!(code(&checked), "gate local_requests");
    let message = checked.failure.unwrap().message;
    assert!(message.ends_with(" local requests, and the goal is exactly 0"), "{message}");
}

/// Adds one; small enough for an answer that only repeats what is in the file.
pub(crate) const ADD: &str = "\
//! # Add one
//! Add one to each number.
//! ## Hint
//! Add.
//! ## Why it works
//! It adds.
//@ exercise mend, 10 minutes
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch add(in, out, n) grid = (n + 31) / 32, block = 32
//@ test 1, 31, 33
//@ page 33

//@ begin
__global__ void add(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + 1;
}
//@ starter
//| // Your turn.
//| __global__ void add(const int* in, int* out, int n) {
//|     int i = blockIdx.x * blockDim.x + threadIdx.x;
//|     out[i] = in[i] + 1;
//| }
//@ wrong result: one is missing
//| __global__ void add(const int* in, int* out, int n) {
//|     int i = blockIdx.x * blockDim.x + threadIdx.x;
//|     if (i < n) out[i] = in[i];
//| }
//@ wrong compile: a bracket is missing
//| __global__ void add(const int* in, int* out, int n) {
//@ wrong uninitialised: it adds to what is not there
//| __global__ void add(const int* in, int* out, int n) {
//|     int i = blockIdx.x * blockDim.x + threadIdx.x;
//|     if (i < n) out[i] += in[i] + 1;
//| }
//@ end
__host__ __device__ int expected(const int* in, int i) { return in[i] + 1; }
";

/// The attempt with these statements as the kernel's body, and these declarations before it.
pub(crate) fn check_add(before: &str, body: &str) -> Checked {
    check_add_of(ADD, before, body)
}

/// The same, with a page that has 32 warps.
fn check_large_add(body: &str) -> Checked {
    check_add_of(&ADD.replace("//@ page 33", "//@ page 1024"), "", body)
}

pub(crate) fn check_add_of(text: &str, before: &str, body: &str) -> Checked {
    let exercise = parse(text);
    let checker = Checker::new(&exercise, Vec::new()).unwrap();
    let kernel = format!(
        "{BEGIN}\n{before}\n__global__ void add(const int* in, int* out, int n) {{\n    int i = \
         blockIdx.x * blockDim.x + threadIdx.x;\n{body}\n}}\n{END}\n"
    );
    let starter = exercise.starter();
    let (from, to) = (starter.find(BEGIN).unwrap(), starter.find(END).unwrap() + END.len() + 1);
    checker.check("mine.cu", &format!("{}{kernel}{}", &starter[..from], &starter[to..]), 3)
}

#[test]
fn an_answer_that_repeats_the_numbers_in_the_file_is_told_so() {
    let numbers = Fill::Lcg256.bytes(ElementType::I32, 33);
    let known: Vec<String> = numbers
        .chunks_exact(4)
        .map(|b| (i32::from_le_bytes(b.try_into().unwrap()) + 1).to_string())
        .collect();
    let table = format!("__constant__ int known[] = {{{}}};", known.join(", "));
    let checked = check_add(&table, "if (i < n) out[i] = known[i];");
    let failure = checked.failure.unwrap();
    assert_eq!(failure.code, "result");
    assert!(failure.message.starts_with("right for the inputs that are written in the file"));
}

#[test]
fn arrays_are_no_traffic_unless_they_are_large_and_shared_memory_is_the_matter() {
    let region = |size: &str| {
        format!(
            "int mine = i < n ? in[i] : 0;
             int some[{size}];
             for (int k = 0; k < {size}; k++) some[k] = mine + k;
             for (int turn = 0; turn < 100; turn++) some[turn % 4] += some[(turn + 1 + i) % 4];
             all[threadIdx.x] = mine + 0 * some[i % 4];
             __syncthreads();
             for (int half = 32; half > 0; half /= 2) {{
                 if (threadIdx.x < half) all[threadIdx.x] += all[threadIdx.x + half];
                 __syncthreads();
             }}
             if (threadIdx.x == 0) out[blockIdx.x] = all[0];\n"
        )
    };
    assert_eq!(code(&check(&parse(SUMS), &region("16"))), "passes");
    let large = check(&parse(SUMS), &region("17")).failure.unwrap();
    assert_eq!(large.code, "traffic");
    assert!(large.message.contains("68 bytes in `some`"), "{}", large.message);
    let other = SUMS.replace("//@ gate shared_load_conflicts = 0\n", "");
    assert_eq!(code(&check(&parse(&other), &region("17"))), "passes");
}

#[test]
fn a_long_way_that_all_warps_share_is_not_serial() {
    let add = |from: &str| {
        format!("int more = 0; for (int k = {from}; k < 2000; k++) more |= k; ")
            + "if (i < n) out[i] = in[i] + 1 + 0 * more;"
    };
    assert_eq!(code(&check_large_add(&add("0"))), "passes");
    assert_eq!(code(&check_large_add(&add("i < 32 ? 0 : 2000"))), "serial");
}

#[test]
fn a_wrong_result_is_told_what_it_has_to_do_with_the_inputs() {
    let said = |body: &str| check_add("", body).failure.unwrap().message;
    // The output is never written, and what is there is not its fill's pattern.
    assert!(said("").starts_with("nothing is stored in `out`"), "{}", said(""));
    let constant = said("if (i < n) out[i] = 7;");
    assert!(constant.starts_with("the output is the same for other inputs"), "{constant}");
    // A value that the inputs of the file do not have, and others may.
    let numbers = Fill::Lcg256.bytes(ElementType::I32, 33);
    let rare = (0..40).filter(|value| !numbers.chunks_exact(4).any(|b| b[0] == *value));
    let failures = rare.filter_map(|value| {
        let body = format!("if (i < n) out[i] = in[i] == {value} ? 0 : in[i] + 1;");
        check_add("", &body).failure
    });
    let messages: Vec<String> = failures.map(|failure| failure.message).collect();
    assert!(!messages.is_empty(), "none of them occurs");
    for message in messages {
        assert!(message.starts_with("right for other inputs of this size"), "{message}");
    }
}

#[test]
fn an_answer_that_asks_for_too_much_memory_is_told_where() {
    let store = "if (i < n) out[i] = in[i] + 1 + 0 * big[i % 4];";
    for body in [
        format!("__shared__ int big[1 << 28]; {store}"),
        format!("int big[1 << 29]; big[i % 4] = i; {store}"),
        format!("__shared__ int big[60000]; big[i % 4] = i; {store}"),
    ] {
        let checked = check_add("", &body);
        let failure = checked.failure.unwrap_or_else(|| panic!("this passes: {body}"));
        assert_eq!(failure.code, "compile", "{body}\n{failure:#?}");
        assert!(failure.problems[0].line > 0, "{body}\n{failure:#?}");
    }
}

#[test]
fn a_lane_that_has_left_is_a_warning_in_every_order() {
    // The value of the lanes that have left is not used.
    let body = "unsigned there = __ballot_sync(0xffffffff, i < n);
        if (i >= n) return;
        int next = __shfl_down_sync(there, in[i], 1);
        out[i] = in[i] + 1 + (i % 32 == 0 && n > i + 1 ? next - in[i + 1] : 0);";
    let checked = check_add("", body);
    assert_eq!(code(&checked), "passes", "{checked:#?}");
}

#[test]
fn what_a_run_leaves_behind_does_not_help_the_next_one() {
    assert_eq!(code(&check_add("", "if (i < n) out[i] = in[i] + 1;")), "passes");
    let checked = check_add(
        "__device__ int kept[64]; __device__ int full[64];",
        "if (i < n) {
             if (!full[i]) { kept[i] = in[i] + 1; full[i] = 1; }
             out[i] = kept[i];
         }",
    );
    let failure = checked.failure.unwrap();
    assert_eq!(failure.code, "result");
    assert!(failure.message.contains("in a second run"), "{}", failure.message);
}

#[test]
fn a_file_that_breaks_its_promises_is_told_so_at_the_line() {
    let audit = |from: &str, to: &str| {
        assert!(ADD.contains(from), "{from}");
        lines(&parse(&ADD.replace(from, to)).audit(Vec::new()))
    };
    assert_eq!(audit("", ""), "");
    let passing =
        audit("//|     if (i < n) out[i] = in[i];", "//|     if (i < n) out[i] = 1 + in[i];");
    assert_eq!(passing, "x.cu:25:0: this wrong answer passes (result: one is missing)\n");
    let other = audit("//@ wrong result", "//@ wrong race");
    assert!(
        other.starts_with("x.cu:25:0: this is rejected for `result`, not for `race`"),
        "{other}"
    );
    let right = "//@ right: the lanes that exist take the branch\n//| __global__ void add(const int* in, \
                 int* out, int n) {\n//|     int i = blockIdx.x * blockDim.x + threadIdx.x;\n//|     if (i \
                 >= n) return;\n//|     out[i] = in[i] + 1;\n//| }\n//@ end";
    assert_eq!(audit("//@ end", right), "");
    let rejected = audit("//@ end", &right.replace("in[i] + 1", "in[i] + 2"));
    assert!(
        rejected.starts_with("x.cu:37:0: this right answer is rejected (result): "),
        "{rejected}"
    );
    let starter = audit("//|     out[i] = in[i] + 1;", "//|     if (i < n) out[i] = in[i] + 1;");
    assert_eq!(starter, "x.cu:14:0: the starter passes: nothing is left to do\n");
    let solution = audit("    if (i < n) out[i] = in[i] + 1;\n}\n//@ starter", "}\n//@ starter");
    assert!(solution.contains("x.cu:7:0: the solution is rejected"), "{solution}");
}

#[test]
fn a_wrong_kind_or_time_is_one_problem() {
    for (from, to, message) in [
        ("write, 20 minutes", "write, 10 min", "x.cu:10:21: expected a time such as `20 minutes`"),
        ("write, 20", "wirte, 20", "x.cu:10:14: unknown kind `wirte`; did you mean `write`?"),
    ] {
        let parsed = Exercise::parse("x.cu", SUMS.replacen(from, to, 1));
        let all = lines(&parsed.expect_err("it is not right"));
        assert!(all.lines().count() == 1 && all.starts_with(message), "{all}");
    }
}

#[test]
fn a_bad_line_is_named_with_its_column() {
    let said = |from: &str, to: &str| {
        assert!(SUMS.contains(from), "{from}");
        let parsed = Exercise::parse("x.cu", SUMS.replacen(from, to, 1));
        lines(&parsed.expect_err("it is not right"))
    };
    for (from, to, message) in [
        ("write, 20", "wirte, 20", "x.cu:10:14: unknown kind `wirte`; did you mean `write`?"),
        ("20 minutes", "20 hours", "x.cu:10:21: expected a time such as `20 minutes`"),
        ("//@ exercise write, 20 minutes\n", "", "x.cu:0:0: no kind; add for example"),
        ("barriers <=", "bariers <=", "x.cu:12:10: no gate has the name `bariers`"),
        (
            "wrong race:",
            "wrong rase:",
            "x.cu:32:15: unknown kind of rejection `rase`; did you mean `race`?",
        ),
        ("wrong race: no", "wrong race no", "x.cu:32:15: expected `wrong result: why it is wrong`"),
        ("    //@ end", "    //@ right: short", "x.cu:43:14: expected `right: how it differs"),
        ("    //@ end\n", "", "x.cu:22:0: this region has no `//@ end`"),
        ("    //@ starter\n", "", "x.cu:30:5: `//|` belongs behind `//@ starter`, `//@ wrong` or"),
        ("//@ begin", "//@ begn", "x.cu:22:9: unknown directive `begn`; did you mean `begin`?"),
        ("    //@ begin\n", "", "x.cu:29:9: `//@ starter` without `//@ begin`"),
        ("    //| // Your", "    // Your", "x.cu:31:5: code after `//@ starter`"),
        ("//! ## Hint\n", "", "x.cu:0:0: no hint"),
        (
            "//@ input in",
            "//@ inptu in",
            "x.cu:13:5: unknown directive `inptu`; did you mean `input`?",
        ),
    ] {
        let all = said(from, to);
        assert!(all.lines().any(|line| line.starts_with(message)), "{message}\n{all}");
    }
}

#[test]
fn no_text_panics() {
    let exercise = parse(SUMS);
    let checker = Checker::new(&exercise, Vec::new()).unwrap();
    let solved = exercise.solved();
    let pieces: Vec<&str> = SUMS.lines().collect();
    for skip in 0..pieces.len() {
        let mut less = pieces.clone();
        less.remove(skip);
        let _ = Exercise::parse("x.cu", less.join("\n"));
        let _ = Exercise::parse("x.cu", pieces[skip..].join("\n"));
        let some: Vec<&str> = solved.lines().take(skip).collect();
        let all = some.len() == solved.lines().count();
        assert_eq!(checker.check("mine.cu", &some.join("\n"), 1).failure.is_none(), all);
    }
}
