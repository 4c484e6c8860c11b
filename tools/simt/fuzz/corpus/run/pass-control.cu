0502
__global__ void control(int* out, int n) {
 int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i >= n) return;
 int sum = 0;
 for (int k = 0; k < i; ++k) {
 if (k % 3 == 0) continue;
 if (k > 100) break;
 sum += k;
 }
 do { sum--; } while (sum > 1000 && out[i] > 0);
 switch (sum & 3) {
 case 0: sum += 1; break;
 case 1: sum += 2;
 default: sum = -sum;
 }
 out[i] = sum > 0 ? sum : out[i] / 2;
}
