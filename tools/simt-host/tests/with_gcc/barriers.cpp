#include <barrier>
#include <cstdio>
#include <thread>
int main() {
    int phases = 0;
    auto done = [&]() noexcept { ++phases; };
    std::barrier meeting(2, done);
    std::thread other([&] { (void)meeting.arrive(); });
    other.join();
    meeting.arrive_and_wait();
    printf("%d\n", phases);
    auto token = meeting.arrive(2);
    meeting.wait(std::move(token));
    printf("%d\n", phases);
    std::barrier<> one(1);
    one.arrive_and_wait();
    one.arrive_and_drop();
}
