// <cublas_v2.h>: cuBLAS with real numbers. Matrices are stored by columns.
#pragma once
#include <__cublas_level3>
