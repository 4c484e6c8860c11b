//! Every kernel, fence, experiment, claim and recording of this chapter: see `verify::harness`.

verify::chapter_tests!(ch02_divergence::experiments::ALL);
