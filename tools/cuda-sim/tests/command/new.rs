//! `new`: what is made passes as it is.

use crate::folder::Folder;

#[test]
fn what_is_made_passes_and_is_never_overwritten() {
    let folder = Folder::with(&[]);
    for (kind, file) in [("kernel", "1_scale.cu"), ("program", "twice.cu")] {
        let said = folder.says(&["new", kind, file]);
        assert_eq!(said.code, Some(0), "{said:#?}");
        let said = folder.says(&["check", "--werror", file]);
        assert_eq!(said.code, Some(0), "{said:#?}");
        assert!(said.stdout.contains("0 findings"), "{said:#?}");
        let said = folder.says(&["new", kind, file]);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains("help: choose another name"), "{said:#?}");
    }
    let text = folder.read("1_scale.cu");
    assert!(text.contains("__global__ void scale("), "{text}");
    // A made kernel file fails once it is wrong.
    std::fs::write(
        folder.path("1_scale.cu"),
        text.replace("2 * in[i];\n}\n\n///", "3 * in[i];\n}\n\n///"),
    )
    .unwrap();
    assert_eq!(folder.says(&["check", "1_scale.cu"]).code, Some(1));
}

#[test]
fn a_name_that_no_kernel_can_have_is_refused() {
    let folder = Folder::with(&[]);
    for name in ["1_.cu", "two words.cu", "scale.txt", "main.cu", "no/such/scale.cu"] {
        let said = folder.says(&["new", "kernel", name]);
        assert_eq!(said.code, Some(2), "{name}: {said:#?}");
        assert!(said.stderr.contains("help: "), "{said:#?}");
        assert!(!folder.path(name).exists());
    }
    for (name, words) in [
        ("4_int.cu", "`int` has a meaning already"),
        ("in.cu", "`in` has a meaning already"),
        ("9.cu", "with a letter behind the number"),
        ("scale", "help: name it `scale.cu`"),
    ] {
        let said = folder.says(&["new", "program", name]);
        assert_eq!(said.code, Some(2), "{name}: {said:#?}");
        assert!(said.stderr.contains(words), "{name}: {said:#?}");
    }
}
