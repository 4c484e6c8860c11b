#include <cusolverDn.h>
#include <cusparse.h>

int main() {
    gesvdjInfo_t mode;
    cusparseSpGEMMDescr_t product;
    return mode == product;
}
