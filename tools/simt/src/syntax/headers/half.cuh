// What the two headers of 16-bit floats have alike. H is the type and H2 its pair.

FN H __hneg(const H a) { return -a; }
FN H __habs(const H a) { return __builtin_half_abs(a); }
FN H __hadd(const H a, const H b) { return a + b; }
FN H __hsub(const H a, const H b) { return a - b; }
FN H __hmul(const H a, const H b) { return a * b; }
FN H __hdiv(const H a, const H b) { return a / b; }
FN H __hadd_rn(const H a, const H b) { return __builtin_half_add(a, b); }
FN H __hsub_rn(const H a, const H b) { return __builtin_half_sub(a, b); }
FN H __hmul_rn(const H a, const H b) { return __builtin_half_mul(a, b); }
FN H __hfma(const H a, const H b, const H c) { return __builtin_half_fma(a, b, c); }
FN H __hfma_relu(const H a, const H b, const H c) { return __builtin_half_max(__builtin_half_fma(a, b, c), H(0.0f)); }
FN H __hmin(const H a, const H b) { return __builtin_half_min(a, b); }
FN H __hmax(const H a, const H b) { return __builtin_half_max(a, b); }
FN bool __heq(const H a, const H b) { return a == b; }
FN bool __hne(const H a, const H b) { return a < b || a > b; }
FN bool __hlt(const H a, const H b) { return a < b; }
FN bool __hle(const H a, const H b) { return a <= b; }
FN bool __hgt(const H a, const H b) { return a > b; }
FN bool __hge(const H a, const H b) { return a >= b; }
FN bool __hneu(const H a, const H b) { return a != b; }
FN bool __hisnan(const H a) { return a != a; }

FN H2 __hneg2(const H2 a) { return -a; }
FN H2 __habs2(const H2 a) { return __builtin_half_abs(a); }
FN H2 __hadd2(const H2 a, const H2 b) { return a + b; }
FN H2 __hsub2(const H2 a, const H2 b) { return a - b; }
FN H2 __hmul2(const H2 a, const H2 b) { return a * b; }
FN H2 __h2div(const H2 a, const H2 b) { return a / b; }
FN H2 __hadd2_rn(const H2 a, const H2 b) { return __builtin_half_add(a, b); }
FN H2 __hsub2_rn(const H2 a, const H2 b) { return __builtin_half_sub(a, b); }
FN H2 __hmul2_rn(const H2 a, const H2 b) { return __builtin_half_mul(a, b); }
FN H2 __hfma2(const H2 a, const H2 b, const H2 c) { return __builtin_half_fma(a, b, c); }
FN H2 __hmin2(const H2 a, const H2 b) { return __builtin_half_min(a, b); }
FN H2 __hmax2(const H2 a, const H2 b) { return __builtin_half_max(a, b); }
FN H2 __heq2(const H2 a, const H2 b) { return H2(a.x == b.x ? 1.0f : 0.0f, a.y == b.y ? 1.0f : 0.0f); }
FN H2 __hne2(const H2 a, const H2 b) { return H2(__hne(a.x, b.x) ? 1.0f : 0.0f, __hne(a.y, b.y) ? 1.0f : 0.0f); }
FN H2 __hlt2(const H2 a, const H2 b) { return H2(a.x < b.x ? 1.0f : 0.0f, a.y < b.y ? 1.0f : 0.0f); }
FN H2 __hle2(const H2 a, const H2 b) { return H2(a.x <= b.x ? 1.0f : 0.0f, a.y <= b.y ? 1.0f : 0.0f); }
FN H2 __hgt2(const H2 a, const H2 b) { return H2(a.x > b.x ? 1.0f : 0.0f, a.y > b.y ? 1.0f : 0.0f); }
FN H2 __hge2(const H2 a, const H2 b) { return H2(a.x >= b.x ? 1.0f : 0.0f, a.y >= b.y ? 1.0f : 0.0f); }
FN bool __hbeq2(const H2 a, const H2 b) { return a == b; }
FN bool __hbne2(const H2 a, const H2 b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
FN bool __hblt2(const H2 a, const H2 b) { return a < b; }
FN bool __hble2(const H2 a, const H2 b) { return a <= b; }
FN bool __hbgt2(const H2 a, const H2 b) { return a > b; }
FN bool __hbge2(const H2 a, const H2 b) { return a >= b; }

FN H hsqrt(const H a) { return H(sqrtf(a)); }
FN H hrsqrt(const H a) { return H(rsqrtf(a)); }
FN H hrcp(const H a) { return H(1.0f / (float)a); }
FN H hexp(const H a) { return H(expf(a)); }
FN H hexp2(const H a) { return H(exp2f(a)); }
FN H hexp10(const H a) { return H(exp10f(a)); }
FN H hlog(const H a) { return H(logf(a)); }
FN H hlog2(const H a) { return H(log2f(a)); }
FN H hlog10(const H a) { return H(log10f(a)); }
FN H hsin(const H a) { return H(sinf(a)); }
FN H hcos(const H a) { return H(cosf(a)); }
FN H htanh(const H a) { return H(tanhf(a)); }
FN H hfloor(const H a) { return H(floorf(a)); }
FN H hceil(const H a) { return H(ceilf(a)); }
FN H htrunc(const H a) { return H(truncf(a)); }
FN H hrint(const H a) { return H(rintf(a)); }
FN H2 h2sqrt(const H2 a) { return H2(hsqrt(a.x), hsqrt(a.y)); }
FN H2 h2rsqrt(const H2 a) { return H2(hrsqrt(a.x), hrsqrt(a.y)); }
FN H2 h2rcp(const H2 a) { return H2(hrcp(a.x), hrcp(a.y)); }
FN H2 h2exp(const H2 a) { return H2(hexp(a.x), hexp(a.y)); }
FN H2 h2exp2(const H2 a) { return H2(hexp2(a.x), hexp2(a.y)); }
FN H2 h2log(const H2 a) { return H2(hlog(a.x), hlog(a.y)); }
FN H2 h2log2(const H2 a) { return H2(hlog2(a.x), hlog2(a.y)); }
FN H2 h2sin(const H2 a) { return H2(hsin(a.x), hsin(a.y)); }
FN H2 h2cos(const H2 a) { return H2(hcos(a.x), hcos(a.y)); }
FN H2 h2tanh(const H2 a) { return H2(htanh(a.x), htanh(a.y)); }

FN float __low2float(const H2 a) { return a.x; }
FN float __high2float(const H2 a) { return a.y; }

#undef H
#undef H2
#undef FN
