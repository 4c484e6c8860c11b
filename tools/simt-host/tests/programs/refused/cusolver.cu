#include <cusolverDn.h>
#include <cusparse.h>

int main() {
    cusolverEigMode_t mode;
    cusparseSpGEMMDescr_t product;
    return mode == product;
}
