// <values.h>: the limits under their names of System V.
#pragma once
#include <float.h>
#include <limits.h>
#define CHARBITS 8
#define SHORTBITS 16
#define INTBITS 32
#define LONGBITS 64
#define FLOATBITS 32
#define DOUBLEBITS 64
#define MINSHORT SHRT_MIN
#define MAXSHORT SHRT_MAX
#define MININT INT_MIN
#define MAXINT INT_MAX
#define MINLONG LONG_MIN
#define MAXLONG LONG_MAX
#define MINFLOAT FLT_MIN
#define MAXDOUBLE DBL_MAX
#define MINDOUBLE DBL_MIN
