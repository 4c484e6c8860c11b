__global__ void k(const int* in, int* out) {
    int t = threadIdx.x;
    int x = in[t];
    if (t % 2 == 0) {
        int half = x / 2;
        x = half;
    } else {
        x = x * 3;
    }
    while (x > t)
        x -= 40;
    out[t] = x;
}
