// args: -n 600 --scale=3 -v --name counted input.txt
// Options by getopt_long, the rest by hand.
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__global__ void scale(int *x, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i * by;
}

static void usage(const char *program)
{
    fprintf(stderr, "usage: %s [-n count] [--scale factor] [--name text] [-v] [file ..]\n", program);
    exit(EXIT_FAILURE);
}

int main(int argc, char *argv[])
{
    int n = 10, factor = 1, verbose = 0, option_index = 0, opt;
    char name[32] = "default";
    static struct option long_options[] = {
        {"count", required_argument, 0, 'n'},
        {"scale", required_argument, 0, 's'},
        {"name", required_argument, 0, 0},
        {"verbose", no_argument, 0, 'v'},
        {0, 0, 0, 0}};
    while ((opt = getopt_long(argc, argv, "n:s:vh", long_options, &option_index)) != -1) {
        switch (opt) {
        case 0:
            if (strcmp(long_options[option_index].name, "name") == 0) strncpy(name, optarg, sizeof(name) - 1);
            break;
        case 'n': n = atoi(optarg); break;
        case 's': factor = (int)strtol(optarg, NULL, 10); break;
        case 'v': verbose = 1; break;
        case 'h':
        default: usage(argv[0]);
        }
    }
    printf("n = %d, scale = %d, name = %s, verbose = %d\n", n, factor, name, verbose);
    for (int i = optind; i < argc; i++) printf("file %d: %s (%zu letters)\n", i - optind, argv[i], strlen(argv[i]));
    int *d, *h = (int *)malloc(n * sizeof(int));
    cudaMalloc(&d, n * sizeof(int));
    scale<<<(n + 63) / 64, 64>>>(d, n, factor);
    cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    int ok = h[n - 1] == (n - 1) * factor && n == 600 && factor == 3;
    printf("last = %d\n%s\n", h[n - 1], ok ? "passed" : "FAILED");
    cudaFree(d);
    free(h);
    return !ok;
}
