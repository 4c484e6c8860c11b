#define TILE 16
#define AT(a, r, c, w) ((a)[(r) * (w) + (c)])
#define CAT(a, b) a##b
#if defined(TILE) && TILE >= 16
#define LIMIT (TILE * 2)
#else
#error "no"
#endif
