// cuda-samples' <helper_functions.h>: the other helpers.
#pragma once
#include <exception.h>
#include <helper_image.h>
#include <helper_string.h>
#include <helper_timer.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
