// Option prices by the closed formula, structure of arrays, float on the device, double on the host.
#include <helper_functions.h>
#include <helper_cuda.h>

__device__ inline float cndGPU(float d)
{
    const float A1 = 0.31938153f, A2 = -0.356563782f, A3 = 1.781477937f, A4 = -1.821255978f, A5 = 1.330274429f;
    const float RSQRT2PI = 0.39894228040143267793994605993438f;
    float K = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
    float cnd = RSQRT2PI * __expf(-0.5f * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    if (d > 0) cnd = 1.0f - cnd;
    return cnd;
}

__global__ __launch_bounds__(128) void BlackScholesGPU(float2 *__restrict d_Result, const float2 *__restrict d_Price, const float *__restrict d_Years, float Riskfree, float Volatility, int optN)
{
    const int opt = blockDim.x * blockIdx.x + threadIdx.x;
    if (opt < optN) {
        float S = d_Price[opt].x, X = d_Price[opt].y, T = d_Years[opt];
        float sqrtT = sqrtf(T);
        float d1 = __fdividef(__logf(S / X) + (Riskfree + 0.5f * Volatility * Volatility) * T, Volatility * sqrtT);
        float d2 = d1 - Volatility * sqrtT;
        float CNDD1 = cndGPU(d1), CNDD2 = cndGPU(d2);
        float expRT = __expf(-Riskfree * T);
        d_Result[opt] = make_float2(S * CNDD1 - X * expRT * CNDD2, X * expRT * (1.0f - CNDD2) - S * (1.0f - CNDD1));
    }
}

static double CND(double d) { return 0.5 * erfc(-d / sqrt(2.0)); }

static float RandFloat(float low, float high)
{
    float t = (float)rand() / (float)RAND_MAX;
    return (1.0f - t) * low + t * high;
}

int main(int argc, char **argv)
{
    printf("[%s] - Starting...\n", "BlackScholes");
    findCudaDevice(argc, (const char **)argv);
    const int OPT_N = 4000;
    const float RISKFREE = 0.02f, VOLATILITY = 0.30f;
    float2 *h_Price = (float2 *)malloc(OPT_N * sizeof(float2)), *h_Result = (float2 *)malloc(OPT_N * sizeof(float2));
    float *h_Years = (float *)malloc(OPT_N * sizeof(float));
    StopWatchInterface *hTimer = NULL;
    sdkCreateTimer(&hTimer);
    srand(5347);
    for (int i = 0; i < OPT_N; i++) {
        h_Price[i].x = RandFloat(5.0f, 30.0f);
        h_Price[i].y = RandFloat(1.0f, 100.0f);
        h_Years[i] = RandFloat(0.25f, 10.0f);
    }
    float2 *d_Price, *d_Result;
    float *d_Years;
    checkCudaErrors(cudaMalloc((void **)&d_Price, OPT_N * sizeof(float2)));
    checkCudaErrors(cudaMalloc((void **)&d_Result, OPT_N * sizeof(float2)));
    checkCudaErrors(cudaMalloc((void **)&d_Years, OPT_N * sizeof(float)));
    checkCudaErrors(cudaMemcpy(d_Price, h_Price, OPT_N * sizeof(float2), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpy(d_Years, h_Years, OPT_N * sizeof(float), cudaMemcpyHostToDevice));
    checkCudaErrors(cudaDeviceSynchronize());
    sdkResetTimer(&hTimer);
    sdkStartTimer(&hTimer);
    BlackScholesGPU<<<(OPT_N + 127) / 128, 128>>>(d_Result, d_Price, d_Years, RISKFREE, VOLATILITY, OPT_N);
    getLastCudaError("BlackScholesGPU() execution failed\n");
    checkCudaErrors(cudaDeviceSynchronize());
    sdkStopTimer(&hTimer);
    fprintf(stderr, "BlackScholesGPU() time: %f msec\n", sdkGetTimerValue(&hTimer));
    checkCudaErrors(cudaMemcpy(h_Result, d_Result, OPT_N * sizeof(float2), cudaMemcpyDeviceToHost));

    double sum_delta = 0, sum_ref = 0;
    for (int i = 0; i < OPT_N; i++) {
        double S = h_Price[i].x, X = h_Price[i].y, T = h_Years[i];
        double d1 = (log(S / X) + (RISKFREE + 0.5 * VOLATILITY * VOLATILITY) * T) / (VOLATILITY * sqrt(T)), d2 = d1 - VOLATILITY * sqrt(T);
        double call = S * CND(d1) - X * exp(-RISKFREE * T) * CND(d2);
        sum_delta += fabs(call - h_Result[i].x);
        sum_ref += fabs(call);
    }
    double L1norm = sum_delta / sum_ref;
    checkCudaErrors(cudaFree(d_Price));
    checkCudaErrors(cudaFree(d_Result));
    checkCudaErrors(cudaFree(d_Years));
    free(h_Price);
    free(h_Result);
    free(h_Years);
    sdkDeleteTimer(&hTimer);
    if (L1norm > 1e-5) {
        printf("Test failed!\n");
        exit(EXIT_FAILURE);
    }
    printf("Test passed\n");
    exit(EXIT_SUCCESS);
}
