// <omp.h> of OpenMP 4.5. Directives are ignored: every team is one thread, and no lock is waited for.
#pragma once
enum omp_sched_t { omp_sched_static = 1, omp_sched_dynamic, omp_sched_guided, omp_sched_auto };
inline int omp_get_thread_num() { return 0; }
inline int omp_get_num_threads() { return 1; }
inline int omp_get_max_threads() { return 1; }
inline int omp_get_thread_limit() { return 1; }
inline int omp_get_num_procs() { return 1; }
inline int omp_get_num_teams() { return 1; }
inline int omp_get_team_num() { return 0; }
inline int omp_get_num_devices() { return 0; }
inline int omp_in_parallel() { return 0; }
inline int omp_get_level() { return 0; }
inline int omp_get_dynamic() { return 0; }
inline int omp_get_nested() { return 0; }
inline int omp_get_max_active_levels() { return 1; }
inline void omp_set_num_threads(int n) {}
inline void omp_set_dynamic(int on) {}
inline void omp_set_nested(int on) {}
inline void omp_set_max_active_levels(int n) {}
inline void omp_set_schedule(omp_sched_t kind, int size) {}
inline double omp_get_wtime() { return (double)__host_now() * 1e-9; }
inline double omp_get_wtick() { return 1e-9; }
struct omp_lock_t { bool held; };
inline void omp_init_lock(omp_lock_t* l) { l->held = false; }
inline void omp_destroy_lock(omp_lock_t* l) {}
inline void omp_set_lock(omp_lock_t* l) {
    if (l->held) __host_refuse("waiting for an OpenMP lock: there is one thread");
    l->held = true;
}
inline void omp_unset_lock(omp_lock_t* l) { l->held = false; }
inline int omp_test_lock(omp_lock_t* l) {
    if (l->held) return 0;
    l->held = true;
    return 1;
}
