//! Every kernel, fence, experiment and recording of this chapter: see `verify::harness`.

verify::chapter_tests!(ch05_reduction::experiments::ALL);
