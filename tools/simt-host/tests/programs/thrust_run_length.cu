// Run-length encoding and decoding.
#include <cstdio>
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/gather.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <iostream>
#include <iterator>

int main() {
    const char text[] = "aaabbbbbcddeeeeeeeeeff";
    const size_t n = sizeof(text) - 1;
    thrust::device_vector<char> in(text, text + n), letters(n);
    thrust::device_vector<int> lengths(n);
    size_t runs = thrust::reduce_by_key(in.begin(), in.end(), thrust::constant_iterator<int>(1), letters.begin(), lengths.begin()).first - letters.begin();
    for (size_t i = 0; i < runs; i++) std::cout << "(" << letters[i] << "," << lengths[i] << ")";
    std::cout << std::endl;
    thrust::inclusive_scan(lengths.begin(), lengths.begin() + runs, lengths.begin());
    int total = lengths[runs - 1];
    thrust::device_vector<int> which(total);
    thrust::upper_bound(lengths.begin(), lengths.begin() + runs, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(total), which.begin());
    thrust::device_vector<char> out(total);
    thrust::gather(which.begin(), which.end(), letters.begin(), out.begin());
    thrust::copy(out.begin(), out.end(), std::ostream_iterator<char>(std::cout, ""));
    std::cout << std::endl;
}
