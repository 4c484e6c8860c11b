#include <curand.h>

int main() {
    curandDiscreteDistribution_t distribution;
    curandCreatePoissonDistribution(10.0, &distribution);
}
