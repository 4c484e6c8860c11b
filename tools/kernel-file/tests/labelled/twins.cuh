// The right and the wrong version of a kernel in one text.
//
// `FIX(x)` is `x` in the right version and nothing in the wrong one; `EITHER((right), (wrong))`
// chooses. The test compiles the right version with `FIXED` defined.
#ifdef FIXED
#define FIX(...) __VA_ARGS__
#define EITHER(right, wrong) INNER right
#else
#define FIX(...)
#define EITHER(right, wrong) INNER wrong
#endif
#define INNER(...) __VA_ARGS__
