// <omp.h>, as with a compiler that ignores OpenMP: one thread.
#pragma once
inline int omp_get_thread_num() { return 0; }
inline int omp_get_num_threads() { return 1; }
inline int omp_get_max_threads() { return 1; }
inline int omp_get_num_procs() { return 1; }
inline void omp_set_num_threads(int n) {}
inline double omp_get_wtime() { return (double)__host_now() * 1e-9; }
