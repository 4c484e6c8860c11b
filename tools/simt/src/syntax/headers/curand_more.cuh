// What fewer kernels use of cuRAND: doubles, which take two numbers each, and the generator Philox.
__device__ inline double __curand_double(unsigned int x, unsigned int y) {
    return (x ^ ((unsigned long long)y << 21)) * 0x1p-53 + 0x1p-54;
}
template <typename S> __device__ inline double curand_uniform_double(S* state) {
    unsigned int x = curand(state);
    return __curand_double(x, curand(state));
}
template <typename S> __device__ inline double2 curand_normal2_double(S* state) {
    unsigned int x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    double length = sqrt(-2.0 * log(__curand_double(x, y)));
    double angle = (z ^ ((unsigned long long)w << 21)) * 0x1p-52 + 0x1p-53;
    double2 pair;
    sincospi(angle, &pair.x, &pair.y);
    pair.x *= length;
    pair.y *= length;
    return pair;
}
template <typename S> __device__ inline double curand_normal_double(S* state) {
    const int kept = 1;
    if (state->boxmuller_flag_double == kept) {
        state->boxmuller_flag_double = 0;
        return state->boxmuller_extra_double;
    }
    double2 pair = curand_normal2_double(state);
    state->boxmuller_extra_double = pair.y;
    state->boxmuller_flag_double = kept;
    return pair.x;
}
template <typename S> __device__ inline double curand_log_normal_double(S* state, double mean, double deviation) {
    return exp(mean + deviation * curand_normal_double(state));
}
template <typename S> __device__ inline float2 curand_log_normal2(S* state, float mean, float deviation) {
    float2 pair = curand_normal2(state);
    return make_float2(expf(mean + deviation * pair.x), expf(mean + deviation * pair.y));
}

// The generator Philox 4x32 with 10 rounds: J. Salmon and others, "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011. The upper half of the counter is the subsequence; each count gives four numbers.
struct curandStatePhilox4_32_10 {
    uint4 ctr, output;
    uint2 key;
    unsigned int STATE;
    int boxmuller_flag, boxmuller_flag_double;
    float boxmuller_extra;
    double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
__device__ inline uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
    for (int round = 0; round < 10; ++round) {
        if (round > 0) k = make_uint2(k.x + 0x9E3779B9u, k.y + 0xBB67AE85u);
        const unsigned int a = __umulhi(0xD2511F53u, c.x), b = __umulhi(0xCD9E8D57u, c.z);
        c = make_uint4(b ^ c.y ^ k.x, 0xCD9E8D57u * c.z, a ^ c.w ^ k.y, 0xD2511F53u * c.x);
    }
    return c;
}
__device__ inline void __philox_count(curandStatePhilox4_32_10_t* s, unsigned long long n) {
    const unsigned long long low = ((unsigned long long)s->ctr.y << 32) | s->ctr.x, sum = low + n;
    s->ctr.x = (unsigned int)sum;
    s->ctr.y = (unsigned int)(sum >> 32);
    if (sum < low && ++s->ctr.z == 0) ++s->ctr.w;
}
__device__ inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* s) {
    s->STATE += (unsigned int)(n & 3);
    n /= 4;
    if (s->STATE > 3) {
        ++n;
        s->STATE -= 4;
    }
    __philox_count(s, n);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
__device__ inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* s) {
    const unsigned long long sum = (((unsigned long long)s->ctr.w << 32) | s->ctr.z) + n;
    s->ctr.z = (unsigned int)sum;
    s->ctr.w = (unsigned int)(sum >> 32);
    s->output = curand_Philox4x32_10(s->ctr, s->key);
}
__device__ inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                                   curandStatePhilox4_32_10_t* s) {
    s->ctr = make_uint4(0, 0, 0, 0);
    s->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
    s->STATE = 0;
    s->boxmuller_flag = 0;
    s->boxmuller_flag_double = 0;
    s->boxmuller_extra = 0.0f;
    s->boxmuller_extra_double = 0.0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
}
__device__ inline unsigned int curand(curandStatePhilox4_32_10_t* s) {
    const unsigned int at = s->STATE++;
    const unsigned int value = at == 0 ? s->output.x : at == 1 ? s->output.y : at == 2 ? s->output.z : s->output.w;
    if (s->STATE == 4) {
        __philox_count(s, 1);
        s->output = curand_Philox4x32_10(s->ctr, s->key);
        s->STATE = 0;
    }
    return value;
}
__device__ inline uint4 curand4(curandStatePhilox4_32_10_t* s) {
    const uint4 a = s->output;
    __philox_count(s, 1);
    const uint4 b = s->output = curand_Philox4x32_10(s->ctr, s->key);
    switch (s->STATE) {
    case 1: return make_uint4(a.y, a.z, a.w, b.x);
    case 2: return make_uint4(a.z, a.w, b.x, b.y);
    case 3: return make_uint4(a.w, b.x, b.y, b.z);
    default: return a;
    }
}
__device__ inline float4 curand_uniform4(curandStatePhilox4_32_10_t* s) {
    const uint4 x = curand4(s);
    return make_float4(__curand_float(x.x), __curand_float(x.y), __curand_float(x.z), __curand_float(x.w));
}
__device__ inline float4 curand_normal4(curandStatePhilox4_32_10_t* s) {
    const uint4 x = curand4(s);
    const float2 a = __curand_pair(x.x, x.y), b = __curand_pair(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}
__device__ inline float4 curand_log_normal4(curandStatePhilox4_32_10_t* s, float mean, float deviation) {
    const float4 x = curand_normal4(s);
    return make_float4(expf(mean + deviation * x.x), expf(mean + deviation * x.y), expf(mean + deviation * x.z),
                       expf(mean + deviation * x.w));
}
__device__ inline double2 curand_uniform2_double(curandStatePhilox4_32_10_t* s) {
    const uint4 x = curand4(s);
    return make_double2(__curand_double(x.x, x.y), __curand_double(x.z, x.w));
}
