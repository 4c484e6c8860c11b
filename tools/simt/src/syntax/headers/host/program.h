#define __NVCC__ 1
#define __linux__ 1
#define __unix__ 1
#define __x86_64__ 1
#define __FILE__ ""
