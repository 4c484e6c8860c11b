// Less common corners of the host's library and of names; what it prints is what g++ makes of it.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <memory>
#include <numeric>
#include <set>
#include <type_traits>
#include <vector>
using namespace std;

// A namespace in one that is visible already, and one behind another name.
namespace outer {
namespace inner {
int depth() { return 2; }
}
using namespace inner;
int seen() { return depth(); }
}
namespace in = outer::inner;

// Methods that are called as a template of the library is.
struct Cell {
    int value;
    void set(int x) { value = x; }
    void array(int x) { set(x + 1); }
};

template <typename T> struct known : false_type {};
template <> struct known<float> : true_type {};
int tag(true_type) { return 1; }
int tag(false_type) { return 2; }

template <int n> using Row = array<signed char, n>;

long elapsed() {
    using namespace chrono;
    auto start = steady_clock::now();
    auto end = start;
    return duration_cast<milliseconds>(end - start).count();
}

int main() {
    using namespace in;
    cout << depth() << outer::seen() << ' ' << elapsed() << '\n';

    Cell cell = {0};
    cell.array(4);
    set<int> numbers = {3, 1, 2};
    vector<int> more = {7, 1};
    copy(more.begin(), more.end(), inserter(numbers, numbers.begin()));
    copy(numbers.begin(), numbers.end(), ostream_iterator<int>(cout, ","));
    cout << cell.value << '\n';

    cout << tag(known<float>()) << tag(known<int>{}) << integral_constant<int, 7>::value << bool_constant<true>::value
         << is_same<add_pointer_t<int&>, int*>::value << is_array<int[3]>::value << is_void_v<void>
         << sizeof(aligned_storage<12, 16>::type) << alignof(aligned_storage<12, 16>::type) << '\n';

    vector<Row<3>> rows;
    for (int i = 3; i > 0; --i) {
        Row<3> row;
        for (int j = 0; j < 3; ++j) row[j] = (i * i + j) % 7;
        rows.push_back(row);
    }
    sort(rows.begin(), rows.end());
    for (auto const& row : rows) cout << int(row[0]) << int(row[1]) << int(row[2]) << ' ';
    vector<pair<int, int>> pairs = {{1, 2}, {3, 4}};
    for (auto const& [a, b] : pairs) cout << a + b << ' ';
    cout << (rows[0] == rows[1]) << (rows[2] >= rows[1]) << '\n';

    float* room = new (nothrow) float[5];
    for (int i = 0; i < 5; ++i) room[i] = i;
    cout << (room != nullptr) << room[4] << '\n';
    delete[] room;
    auto owned = make_unique<double[]>(4);
    owned[3] = 2.5;
    cout << owned[0] << owned[3] << '\n';

    uint bits = 0xF0u;
    ushort small = 65535;
    small++;
    cout << bits << ' ' << small << '\n';

    int* array_here = (int*)alloca(3 * sizeof(int));
    iota(array_here, array_here + 3, 4);
    adjacent_difference(array_here, array_here + 3, array_here);
    cout << array_here[0] << array_here[2] << '\n';
    replace_if(more.begin(), more.end(), [](int x) { return x > 5; }, 0);
    cout << more[0] << more[1] << ' ' << (*find_if_not(more.begin(), more.end(), [](int x) { return x == 0; })) << '\n';
    cout << setiosflags(ios::fixed) << setprecision(2) << 1.5 << '\n';
    const char* path = "a/b/c.txt";
    printf("%s %s\n", rindex(path, '/'), index(path, 'b'));

    char* fresh = (char*)calloc(100, 10);
    int sum = 0;
    for (int i = 0; i < 1000; ++i) sum += fresh[i];
    printf("%d %d\n", sum, calloc((size_t)-1, 16) == nullptr);
    free(fresh);
    return 0;
}
