//! The integration tests of the crate, one module per subject.

mod access;
mod again;
mod aliases;
mod answers;
mod as_nvcc;
mod barrier_objects;
mod bases;
mod braced_members;
mod chosen_functions;
mod classes_at_run_time;
mod complete_class;
mod conditional;
mod confirmed;
mod constants;
mod containers;
mod corpus;
mod cuda_std;
mod curand;
mod deduced_classes;
mod device_launches;
mod device_recursion;
mod device_statics;
mod dialect;
#[cfg(not(target_arch = "wasm32"))]
mod driver;
mod elsewhere;
mod exceptions;
mod external;
mod flexible_arrays;
#[cfg(not(target_arch = "wasm32"))]
mod folders;
mod graphs;
mod hidden_names;
mod host;
mod host_copies;
#[cfg(not(target_arch = "wasm32"))]
mod host_headers;
#[cfg(not(target_arch = "wasm32"))]
mod host_libraries;
mod host_library;
mod idioms;
mod in_place;
mod language;
mod library_places;
mod local_arrays;
mod lookup;
mod members;
mod mistakes;
mod modern;
mod named_constants;
mod narrowing;
mod nested_classes;
mod owners;
mod packed;
mod packs;
mod programs;
mod qualified;
mod random_kernels;
mod refused;
mod refused_calls;
mod rendered;
mod rules;
#[cfg(not(target_arch = "wasm32"))]
mod runtime_queries;
mod several_files;
mod shared_headers;
mod sides;
mod std_values;
mod stopped;
mod strangers;
mod stream_races;
#[cfg(not(target_arch = "wasm32"))]
mod supported;
mod switches;
mod tables_of_virtual_functions;
mod template_libraries;
mod tensor_maps;
#[cfg(not(target_arch = "wasm32"))]
mod textures;
#[cfg(not(target_arch = "wasm32"))]
mod threads;
#[cfg(not(target_arch = "wasm32"))]
mod thrust_cub;
mod unassigned;
mod unfinished_objects;
mod unseen;
mod unused_functions;
mod unwritten_copies;
mod wide_integers;
#[cfg(not(target_arch = "wasm32"))]
mod with_gcc;
mod world;
mod wrong_memory;
