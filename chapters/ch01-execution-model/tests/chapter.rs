//! Every kernel, fence, experiment, claim and recording of this chapter: see `verify::harness`.

verify::chapter_tests!(ch01_execution_model::experiments::ALL);
