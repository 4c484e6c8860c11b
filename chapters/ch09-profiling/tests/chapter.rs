//! Every kernel, fence, experiment and recording of this chapter: see `verify::harness`.

verify::chapter_tests!(ch09_profiling::experiments::ALL);
