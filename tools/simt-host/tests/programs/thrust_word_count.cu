// Words of a text: a letter after something else. And how often each letter occurs.
#include <cctype>
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#include <thrust/transform.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

__host__ __device__ bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
struct starts {
    __host__ __device__ bool operator()(char left, char right) const { return is_letter(right) && !is_letter(left); }
};
struct lower {
    __host__ __device__ char operator()(char c) const { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }
};

int main() {
    const char text[] = "But the raven, sitting lonely on the placid bust, spoke only That one word, as if his soul in that one word he did outpour.\n"
                        "  Nothing further then he uttered - not a feather then he fluttered - Till I scarcely more than muttered `other friends have flown before'.\n";
    thrust::device_vector<char> in(text, text + sizeof(text) - 1);
    int words = thrust::inner_product(in.begin(), in.end() - 1, in.begin() + 1, 0, thrust::plus<int>(), starts());
    if (is_letter(in.front())) words++;
    printf("%d words\n", words);
    thrust::transform(in.begin(), in.end(), in.begin(), lower());
    thrust::sort(in.begin(), in.end());
    auto end = thrust::unique(in.begin(), in.end());
    for (auto at = in.begin(); at != end; ++at)
        if (is_letter(*at)) printf("%c", (char)*at);
    printf("\n");
}
