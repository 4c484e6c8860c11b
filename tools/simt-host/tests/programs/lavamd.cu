// Particles in boxes, forces between neighbouring boxes, nested structs as in the old suites.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define fp double
#define NUMBER_PAR_PER_BOX 16
#define NUMBER_THREADS 16
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y) + (A.z) * (B.z))

typedef struct { fp x, y, z; } THREE_VECTOR;
typedef struct { fp v, x, y, z; } FOUR_VECTOR;
typedef struct nei_str { int x, y, z; int number; long offset; } nei_str;
typedef struct box_str {
    int x, y, z;
    int number;
    long offset;
    int nn;
    nei_str nei[26];
} box_str;
typedef struct par_str { fp alpha; } par_str;
typedef struct dim_str { int boxes1d_arg; long number_boxes; long space_elem; } dim_str;

__host__ __device__ static void interact(fp a2, FOUR_VECTOR a, FOUR_VECTOR b, fp q, FOUR_VECTOR *f)
{
    fp r2 = a.v + b.v - DOT(a, b);
    fp vij = exp(-a2 * r2);
    fp fs = 2 * vij;
    f->v += q * vij;
    f->x += q * fs * (a.x - b.x);
    f->y += q * fs * (a.y - b.y);
    f->z += q * fs * (a.z - b.z);
}

__global__ void kernel_gpu_cuda(par_str d_par_gpu, dim_str d_dim_gpu, box_str *d_box_gpu, FOUR_VECTOR *d_rv_gpu, fp *d_qv_gpu, FOUR_VECTOR *d_fv_gpu)
{
    int bx = blockIdx.x;
    int tx = threadIdx.x;
    if (bx < d_dim_gpu.number_boxes) {
        fp a2 = 2.0 * d_par_gpu.alpha * d_par_gpu.alpha;
        __shared__ FOUR_VECTOR rB_shared[NUMBER_PAR_PER_BOX];
        __shared__ fp qB_shared[NUMBER_PAR_PER_BOX];
        long first_i = d_box_gpu[bx].offset;
        FOUR_VECTOR mine = d_rv_gpu[first_i + tx];
        FOUR_VECTOR f = {0, 0, 0, 0};
        for (int k = 0; k < 1 + d_box_gpu[bx].nn; k++) {
            int pointer = k == 0 ? bx : d_box_gpu[bx].nei[k - 1].number;
            long first_j = d_box_gpu[pointer].offset;
            rB_shared[tx] = d_rv_gpu[first_j + tx];
            qB_shared[tx] = d_qv_gpu[first_j + tx];
            __syncthreads();
            for (int j = 0; j < NUMBER_PAR_PER_BOX; j++) interact(a2, mine, rB_shared[j], qB_shared[j], &f);
            __syncthreads();
        }
        d_fv_gpu[first_i + tx] = f;
    }
}

int main(int argc, char *argv[])
{
    par_str par;
    dim_str dim;
    par.alpha = 0.5;
    dim.boxes1d_arg = 3;
    dim.number_boxes = dim.boxes1d_arg * dim.boxes1d_arg * dim.boxes1d_arg;
    dim.space_elem = dim.number_boxes * NUMBER_PAR_PER_BOX;
    box_str *box = (box_str *)malloc(dim.number_boxes * sizeof(box_str));
    int nh = 0;
    for (int i = 0; i < dim.boxes1d_arg; i++)
        for (int j = 0; j < dim.boxes1d_arg; j++)
            for (int k = 0; k < dim.boxes1d_arg; k++) {
                box[nh].x = k;
                box[nh].y = j;
                box[nh].z = i;
                box[nh].number = nh;
                box[nh].offset = nh * NUMBER_PAR_PER_BOX;
                box[nh].nn = 0;
                for (int l = -1; l < 2; l++)
                    for (int m = -1; m < 2; m++)
                        for (int n = -1; n < 2; n++)
                            if (((i + l) >= 0 && (j + m) >= 0 && (k + n) >= 0) && ((i + l) < dim.boxes1d_arg && (j + m) < dim.boxes1d_arg && (k + n) < dim.boxes1d_arg) && !(l == 0 && m == 0 && n == 0)) {
                                nei_str *nei = &box[nh].nei[box[nh].nn];
                                nei->x = k + n;
                                nei->y = j + m;
                                nei->z = i + l;
                                nei->number = (nei->z * dim.boxes1d_arg * dim.boxes1d_arg) + (nei->y * dim.boxes1d_arg) + nei->x;
                                nei->offset = nei->number * NUMBER_PAR_PER_BOX;
                                box[nh].nn++;
                            }
                nh++;
            }
    srand(3);
    FOUR_VECTOR *rv = (FOUR_VECTOR *)malloc(dim.space_elem * sizeof(FOUR_VECTOR)), *fv = (FOUR_VECTOR *)malloc(dim.space_elem * sizeof(FOUR_VECTOR));
    fp *qv = (fp *)malloc(dim.space_elem * sizeof(fp));
    for (int i = 0; i < dim.space_elem; i++) {
        rv[i].v = (rand() % 10 + 1) / 10.0;
        rv[i].x = (rand() % 10 + 1) / 10.0;
        rv[i].y = (rand() % 10 + 1) / 10.0;
        rv[i].z = (rand() % 10 + 1) / 10.0;
        qv[i] = (rand() % 10 + 1) / 10.0;
    }
    box_str *d_box;
    FOUR_VECTOR *d_rv, *d_fv;
    fp *d_qv;
    cudaMalloc((void **)&d_box, dim.number_boxes * sizeof(box_str));
    cudaMalloc((void **)&d_rv, dim.space_elem * sizeof(FOUR_VECTOR));
    cudaMalloc((void **)&d_qv, dim.space_elem * sizeof(fp));
    cudaMalloc((void **)&d_fv, dim.space_elem * sizeof(FOUR_VECTOR));
    cudaMemcpy(d_box, box, dim.number_boxes * sizeof(box_str), cudaMemcpyHostToDevice);
    cudaMemcpy(d_rv, rv, dim.space_elem * sizeof(FOUR_VECTOR), cudaMemcpyHostToDevice);
    cudaMemcpy(d_qv, qv, dim.space_elem * sizeof(fp), cudaMemcpyHostToDevice);
    dim3 blocks, threads;
    blocks.x = dim.number_boxes;
    blocks.y = 1;
    threads.x = NUMBER_THREADS;
    threads.y = 1;
    kernel_gpu_cuda<<<blocks, threads>>>(par, dim, d_box, d_rv, d_qv, d_fv);
    cudaDeviceSynchronize();
    cudaMemcpy(fv, d_fv, dim.space_elem * sizeof(FOUR_VECTOR), cudaMemcpyDeviceToHost);
    fp worst = 0, a2 = 2.0 * par.alpha * par.alpha;
    for (int b = 0; b < dim.number_boxes; b += 13)
        for (int i = 0; i < NUMBER_PAR_PER_BOX; i++) {
            FOUR_VECTOR f = {0, 0, 0, 0};
            for (int k = -1; k < box[b].nn; k++) {
                long first = k < 0 ? box[b].offset : box[b].nei[k].offset;
                for (int j = 0; j < NUMBER_PAR_PER_BOX; j++) interact(a2, rv[box[b].offset + i], rv[first + j], qv[first + j], &f);
            }
            FOUR_VECTOR g = fv[box[b].offset + i];
            worst = fmax(worst, fmax(fabs(f.v - g.v), fmax(fabs(f.x - g.x), fmax(fabs(f.y - g.y), fabs(f.z - g.z)))));
        }
    printf("boxes: %ld, particles: %ld, sizeof(box_str): %zu\n", dim.number_boxes, dim.space_elem, sizeof(box_str));
    printf("%s\n", worst < 1e-9 ? "PASSED" : "FAILED");
    cudaFree(d_box); cudaFree(d_rv); cudaFree(d_qv); cudaFree(d_fv);
    free(box); free(rv); free(qv); free(fv);
    return worst < 1e-9 ? 0 : 1;
}
