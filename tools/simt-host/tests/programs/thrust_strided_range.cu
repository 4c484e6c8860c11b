// Ranges made of iterators: strided, repeated, tiled, backwards.
#include <cstdio>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/iterator_traits.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>

template <typename Iterator> class strided_range {
public:
    typedef typename thrust::iterator_difference<Iterator>::type difference_type;
    struct stride_functor {
        difference_type stride;
        stride_functor(difference_type s) : stride(s) {}
        __host__ __device__ difference_type operator()(const difference_type& i) const { return stride * i; }
    };
    typedef typename thrust::counting_iterator<difference_type> CountingIterator;
    typedef typename thrust::transform_iterator<stride_functor, CountingIterator> TransformIterator;
    typedef typename thrust::permutation_iterator<Iterator, TransformIterator> PermutationIterator;
    typedef PermutationIterator iterator;
    strided_range(Iterator f, Iterator l, difference_type s) : first(f), last(l), stride(s) {}
    iterator begin() const { return PermutationIterator(first, TransformIterator(CountingIterator(0), stride_functor(stride))); }
    iterator end() const { return begin() + ((last - first) + (stride - 1)) / stride; }

protected:
    Iterator first, last;
    difference_type stride;
};

struct modulo {
    int n;
    __host__ __device__ int operator()(int i) const { return i % n; }
};

int main() {
    thrust::device_vector<int> data(10), out(20);
    thrust::sequence(data.begin(), data.end(), 10, 10);
    typedef thrust::device_vector<int>::iterator Iterator;
    strided_range<Iterator> odd(data.begin() + 1, data.end(), 2);
    printf("%d of %d\n", thrust::reduce(odd.begin(), odd.end()), (int)(odd.end() - odd.begin()));
    thrust::fill(odd.begin(), odd.end(), 7);
    for (int i = 0; i < 10; i++) printf("%d ", (int)data[i]);
    auto tiled = thrust::make_permutation_iterator(data.begin(), thrust::make_transform_iterator(thrust::counting_iterator<int>(0), modulo{4}));
    thrust::copy(tiled, tiled + 20, out.begin());
    printf("|");
    for (int i = 0; i < 20; i += 3) printf(" %d", (int)out[i]);
    thrust::copy(thrust::make_reverse_iterator(data.end()), thrust::make_reverse_iterator(data.begin()), out.begin());
    printf(" |");
    for (int i = 0; i < 10; i++) printf(" %d", (int)out[i]);
    printf("\n");
}
