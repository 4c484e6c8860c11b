//! A path without the detours in it: `deep/../suite/a.cu` is `suite/a.cu`.

use std::path::{Component, Path, PathBuf};

/// The same file without `.` and `folder/..`. What is relative stays relative. Where a folder is a
/// symbolic link, its `..` is another folder than the one it stands in, and the path stays as it is.
pub fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match (part, tidy.components().next_back()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(tidy.pop()),
            (part, _) => tidy.push(part),
        }
    }
    if tidy.as_os_str().is_empty() && !path.as_os_str().is_empty() {
        tidy.push(".");
    }
    if tidy == path || tidy.canonicalize().ok() == path.canonicalize().ok() {
        tidy
    } else {
        path.to_path_buf()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_are_left_out() {
        for (path, wanted) in [
            ("a.cu", "a.cu"),
            ("./a.cu", "a.cu"),
            ("deep/../suite/./a.cu", "suite/a.cu"),
            ("../suite/a.cu", "../suite/a.cu"),
            ("../../b/../a.cu", "../../a.cu"),
            ("src/..", "."),
            (".", "."),
            ("", ""),
            ("/a/b/../../../c", "/c"),
        ] {
            assert_eq!(tidy(Path::new(path)), Path::new(wanted), "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_parent_of_a_link_is_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("far/deep")).unwrap();
        std::fs::write(path("far/a.cu"), "").unwrap();
        std::fs::write(path("a.cu"), "").unwrap();
        std::os::unix::fs::symlink(path("far/deep"), path("link")).unwrap();
        assert_eq!(tidy(&path("link/../a.cu")), path("link/../a.cu"));
        assert_eq!(tidy(&path("far/../a.cu")), path("a.cu"));
    }
}
