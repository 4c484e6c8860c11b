#define __CUDACC_RTC__ 1
