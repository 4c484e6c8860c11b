#include <thrust/shuffle.h>
#include <thrust/device_vector.h>
#include <thrust/random.h>

int main() {
    thrust::device_vector<int> a(100);
    thrust::shuffle(a.begin(), a.end(), thrust::default_random_engine());
}
