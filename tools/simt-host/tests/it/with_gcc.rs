//! Programs of host code that print what they print with g++ and libstdc++.

use crate::world::*;

macro_rules! programs {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            prints(
                include_str!(concat!("../with_gcc/", stringify!($name), ".cpp")),
                include_str!(concat!("../with_gcc/", stringify!($name), ".txt")),
            );
        }
    )*};
}

programs! {
    barriers
    characters_at_limits
    constants_come_first
    exceptions_of_futures
    forward_lists
    futures
    hashed
    hashed_multisets
    literal_operators
    memory_by_calls
    memory_of_classes
    names_bound_by_get
    names_bound_by_rvalues
    numbers_and_characters
    order_in_threads
    order_of_statics
    outside_of_namespaces
    partial_variable_templates
    places_of_calls
    quotients
    requirements_without_exceptions
    special_variable_templates
    thread_local_first_use
    thread_local_objects
    three_way_of_members
    three_way_of_the_library
    values_of_class_templates
}
