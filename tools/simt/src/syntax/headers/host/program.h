#define __NVCC__ 1
#define __linux__ 1
#define __unix__ 1
#define __x86_64__ 1
#define __FILE__ ""
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
