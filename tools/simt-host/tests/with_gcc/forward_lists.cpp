#include <forward_list>
#include <cstdio>
int main() {
    std::forward_list<int> l{3, 1, 2};
    l.push_front(5);
    l.sort();
    l.reverse();
    for (int x : l) printf("%d ", x);
    auto i = l.insert_after(l.begin(), 9);
    l.erase_after(i);
    l.remove(1);
    l.emplace_front(7);
    l.pop_front();
    auto b = l.before_begin();
    l.insert_after(b, 8);
    printf("%d %d\n", l.front(), (int)std::distance(l.begin(), l.end()));
    l.unique();
    l.remove_if([](int x) { return x > 7; });
    std::forward_list<int> m{1, 9};
    l.sort();
    l.merge(m);
    l.splice_after(l.before_begin(), std::forward_list<int>{4});
    for (int x : l) printf("%d ", x);
    printf("%d\n", l.empty());
    l.clear();
    l.assign(3, 1);
    l.resize(2);
    printf("%d\n", l == std::forward_list<int>{1, 1});
}
