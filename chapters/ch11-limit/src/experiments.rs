//! What only a host can measure in this chapter.

mod library;

verify::experiments! {
    library: [],
}
