//! The integration tests of the crate, one module per subject.

mod again;
mod barrier_objects;
mod classes_at_run_time;
mod confirmed;
mod constants;
mod corpus;
mod device_launches;
mod device_statics;
mod dialect;
mod elsewhere;
mod graphs;
mod host;
mod host_library;
mod language;
mod library_places;
mod local_arrays;
mod members;
mod packs;
mod programs;
mod random_kernels;
mod refused;
mod rendered;
mod stopped;
mod strangers;
mod supported;
mod world;
