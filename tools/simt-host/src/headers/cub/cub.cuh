// CUB: all of it that there is.
#pragma once
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cub/__traits>
#include <cub/__collectives>
#include <cub/__block_data>
#include <cub/__block_order>
#include <cub/__device_wide>
#include <cub/__device_more>
