//! Every kernel, fence and recording of this chapter: see `verify::harness`.

verify::chapter_tests!();
