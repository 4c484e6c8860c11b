__global__ void uninitialised(int* out, int n) {
 int a, b;
 int local[4];
 if (n > 3) a = 1;
 for (int i = 0; i < n; ++i) b = i;
 if (n > 5) b = 2; else b = 3;
 local[n & 3] = b;
 out[0] = a + b + local[0];
}
