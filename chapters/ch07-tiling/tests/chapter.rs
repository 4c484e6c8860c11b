//! Every kernel, fence, experiment and recording of this chapter: see `verify::harness`.

verify::chapter_tests!(ch07_tiling::experiments::ALL);
