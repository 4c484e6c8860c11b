//! Every rung of this chapter, timed: see `verify::harness`.

verify::chapter_benches!();
