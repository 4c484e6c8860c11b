//! Files and folders as objects of the operating system.

use crate::world::*;

#[test]
fn paths_and_folders_of_cpp() {
    let text = r#"
        #include <filesystem>
        #include <fstream>
        #include <iostream>
        namespace fs = std::filesystem;
        int main(int argc, char** argv) {
            fs::path out("out");
            out /= "frames";
            std::cout << fs::exists(out) << fs::create_directories(out) << fs::create_directories(out);
            std::ofstream(out / "b.txt") << "two words";
            std::ofstream(out / ("a" + std::to_string(7) + ".tar.gz")) << "x";
            std::cout << fs::is_directory("out") << fs::file_size(out / "b.txt") << std::endl;
            for (const auto& entry : fs::directory_iterator("out/frames")) {
                const fs::path& p = entry.path();
                std::cout << p << " " << p.filename().string() << " " << p.stem().string() << " "
                          << p.extension() << " " << p.parent_path() << " " << entry.is_regular_file() << "\n";
            }
            int seen = 0;
            for (auto& entry : fs::recursive_directory_iterator("out")) seen += entry.is_directory() ? 10 : 1;
            fs::path p = "/a/b.c";
            std::cout << seen << " " << p.replace_extension("png").c_str() << " " << p.is_absolute() << " "
                      << fs::absolute("x").string() << "\n";
            fs::rename(out / "b.txt", out / "c.txt");
            std::error_code code;
            std::cout << fs::exists(out / "b.txt") << fs::exists(out / "c.txt") << fs::remove(out, code)
                      << code.value() << " " << fs::remove_all("out") << fs::exists("out") << "\n";
            try {
                fs::file_size("none");
            } catch (const fs::filesystem_error& error) {
                std::cout << error.code().message() << " " << error.path1();
            }
        }"#;
    let wanted = "01019\n\"out/frames/a7.tar.gz\" a7.tar.gz a7.tar \".gz\" \"out/frames\" 1\n\
        \"out/frames/b.txt\" b.txt b \".txt\" \"out/frames\" 1\n12 /a/b.png 1 /home/x\n01039 40\n\
        No such file or directory \"none\"";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn files_and_folders_of_c() {
    let text = r#"
        #include <dirent.h>
        #include <errno.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/stat.h>
        #include <unistd.h>
        int main() {
            FILE* early = fopen("data/x", "w");
            int made = mkdir("data", 0755), again = mkdir("data", 0755);
            printf("%d %d %d %d ", early == NULL, made, again, errno == EEXIST);
            FILE* f = fopen("data/x", "w");
            fputs("12345", f);
            fclose(f);
            struct stat st;
            int found = stat("data/x", &st);
            printf("%d %ld %d ", found, st.st_size, S_ISREG(st.st_mode));
            found = stat("data", &st);
            printf("%d %d %d\n", found, S_ISDIR(st.st_mode), access("data/y", F_OK));
            rename("data/x", "data/y");
            DIR* folder = opendir("data");
            while (struct dirent* entry = readdir(folder)) printf("%s %d, ", entry->d_name, entry->d_type == DT_DIR);
            closedir(folder);
            printf("%d ", rmdir("data"));
            printf("%d ", unlink("data"));
            printf("%d ", remove("data/y"));
            printf("%d ", remove("data/y"));
            printf("%d\n", rmdir("data"));
            char here[10];
            printf("%s %d", getcwd(here, 10), opendir("data") == NULL);
        }"#;
    let wanted = "1 0 -1 1 0 5 1 0 1 -1\n. 1, .. 1, y 0, -1 -1 0 -1 0\n/home 1";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}
