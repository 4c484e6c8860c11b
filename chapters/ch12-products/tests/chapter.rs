//! Every kernel, fence, experiment and recording of this chapter: see `verify::harness`.

verify::chapter_tests!(ch12_products::experiments::ALL);
