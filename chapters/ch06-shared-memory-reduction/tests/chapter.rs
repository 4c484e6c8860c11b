//! Every kernel, fence, experiment and recording of this chapter: see `verify::harness`.

verify::chapter_tests!(ch06_shared_memory_reduction::experiments::ALL);
