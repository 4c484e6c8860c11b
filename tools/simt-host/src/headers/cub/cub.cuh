// CUB: all of it that there is.
#pragma once
#include <cub/__collectives>
#include <cub/__device_wide>
