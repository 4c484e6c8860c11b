constexpr int N = 24;
__global__ void promises(int* out) {
 __shared__ __align__(N) int s[4];
 s[0] = globaltimer();
 out[0] = __builtin_expect(out, 1);
 __builtin_assume();
 long long t = clock64(1);
}
