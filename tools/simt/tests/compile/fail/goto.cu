__global__ void k(int* o) {
again:
    o[0]++;
    if (o[0] < 3) goto again;
}
