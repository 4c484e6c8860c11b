// Each section is a program that ends with 0, with g++ and libstdc++ as well.
//# values that only move, in pairs and maps
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
struct Moved {
    int v;
    explicit Moved(int a) : v(a) {}
    Moved(const Moved&) = delete;
    Moved(Moved&& other) noexcept : v(other.v) { other.v = -1; }
};
std::pair<Moved, Moved> both() {
    Moved a(1), b(2);
    return std::make_pair(std::move(a), std::move(b));
}
void fill(std::unordered_map<std::string, std::unique_ptr<int>>& t) {
    if (t.find("a") == t.end()) t["a"] = std::make_unique<int>(3);
    *t["a"] = 4;
}
std::map<int, std::unique_ptr<int>> made() {
    std::map<int, std::unique_ptr<int>> m;
    m[1] = std::make_unique<int>(5);
    m.emplace(2, std::make_unique<int>(6));
    m.insert(std::make_pair(3, std::make_unique<int>(7)));
    m.try_emplace(4, std::make_unique<int>(8));
    m.insert_or_assign(1, std::make_unique<int>(9));
    return m;
}
int looked(const std::unordered_map<std::string, int>& m) { return m.at("a"); }
int main() {
    std::unordered_map<std::string, std::unique_ptr<int>> t;
    fill(t);
    auto m = made();
    auto n = std::move(m);
    std::pair<const char*, int*> p("x", nullptr);
    std::pair<int*, long> zero(0, 1);
    std::pair<std::string, double> wide = std::make_pair("text", 1);
    auto array = std::make_pair("text", 2.5f);
    const char* text = array.first;
    bool right = both().second.v == 2 && *t["a"] == 4 && n.size() == 4 && *n[1] == 9 && *n[2] == 6 && *n[3] == 7 && *n[4] == 8;
    right = right && m.empty() && p.second == nullptr && zero.first == nullptr && wide.first == "text" && text[3] == 't';
    return right && looked({{"a", 0}}) == 0 ? 0 : 1;
}
//# std::empty and std::data
#include <string>
#include <vector>
int main() {
    std::vector<int> v{1, 2};
    int a[3] = {};
    std::string s;
    return std::empty(v) || std::data(v) != &v[0] || std::empty(a) || std::data(a) != a || !std::empty(s) || std::size(a) != 3;
}
//# remainders of durations
#include <chrono>
int main() {
    using namespace std::chrono;
    auto now = system_clock::now();
    auto ms = duration_cast<milliseconds>(now.time_since_epoch()) % 1000;
    milliseconds left(12345);
    left %= 1000;
    return ms.count() >= 1000 || left.count() != 345 || (milliseconds(2500) % seconds(1)).count() != 500 || (3 * seconds(2) / 2).count() != 3;
}
//# positions and numbers of files
#include <cstdio>
#include <unistd.h>
int main() {
    FILE* f = fopen("positions", "w+");
    fputs("first\nsecond\n", f);
    rewind(f);
    char line[16];
    fpos_t at;
    fgets(line, 16, f);
    fgetpos(f, &at);
    fgets(line, 16, f);
    fsetpos(f, &at);
    bool right = ftell(f) == 6 && fileno(f) > 2 && fileno(stdout) == 1 && isatty(fileno(f)) == 0;
    fclose(f);
    remove("positions");
    return right ? 0 : 1;
}
//# what malloc.h brings
#include <malloc.h>
int main() {
    FILE* f = fopen("/dev/null", "r");
    bool right = f && fgetc(f) == EOF;
    fclose(f);
    f = fopen("/dev/null", "w");
    right = right && fprintf(f, "%d", 12) == 2 && fclose(f) == 0;
    f = fopen("/dev/null", "r");
    right = right && fgetc(f) == EOF;
    return right ? 0 : 1;
}
//# clocks and the calendar
#include <ctime>
int main() {
    timespec t;
    if (clock_gettime(CLOCK_MONOTONIC_RAW, &t) || clock_gettime(CLOCK_BOOTTIME, &t) || clock_getres(CLOCK_REALTIME, &t)) return 1;
    if (timespec_get(&t, TIME_UTC) != TIME_UTC) return 2;
    std::tm when = {};
    when.tm_year = 124;
    when.tm_mon = 13;
    when.tm_mday = 29;
    when.tm_hour = -1;
    if (timegm(&when) != 1740783600 || when.tm_mon != 1 || when.tm_mday != 28) return 3;
    time_t day = 951782400;
    std::tm leap = *gmtime(&day);
    return timegm(&leap) == day && leap.tm_mon == 1 && leap.tm_mday == 29 && (double)((__clock_t)1000000) > 1 ? 0 : 4;
}
//# names of types that glibc gives
#include <sys/types.h>
#include <bits/getopt_core.h>
u_int16_t a = 1;
u_int8_t b = 1;
u_int32_t c;
u_int64_t d;
__uint8_t e;
__uint16_t f;
__uint32_t g;
__int64_t h = -1;
int main(int argc, char** argv) { return a - b || getopt(argc, argv, "a") != -1 || sizeof(d) != 8 || h > 0; }
//# typeid after iostream
#include <iostream>
template <typename T> int kind() { return typeid(T) == typeid(float) ? 1 : 0; }
int main() { return kind<float>() - 1 + kind<int>(); }
//# signals
#include <csignal>
static int seen = 0;
static volatile sig_atomic_t last = 0;
void handler(int number) {
    last = number;
    ++seen;
}
int main() {
    static char room[16384];
    stack_t stack, old;
    stack.ss_sp = room;
    stack.ss_size = sizeof room;
    stack.ss_flags = 0;
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    if (sigaltstack(&stack, &old) || sigaction(SIGUSR1, &action, nullptr)) return 1;
    raise(SIGUSR1);
    void (*before)(int) = signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
    signal(SIGTERM, handler);
    raise(SIGTERM);
    return before == SIG_DFL && seen == 2 && last == SIGTERM ? 0 : 2;
}
//# an assertion of one's own
#include <cassert>
#define CHECK(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __ASSERT_FUNCTION))
int main() { CHECK(1 + 1 == 2); }
//# streams: white space, locales, offsets
#include <iosfwd>
#include <string>
struct Point {
    int x, y;
};
std::ostream& operator<<(std::ostream& to, const Point& p);
std::istream& operator>>(std::istream& from, Point& p);
#include <locale>
#include <sstream>
std::ostream& operator<<(std::ostream& to, const Point& p) { return to << p.x << ' ' << p.y; }
std::istream& operator>>(std::istream& from, Point& p) { return from >> p.x >> p.y; }
int main() {
    std::stringstream s("a b");
    s.imbue(std::locale::classic());
    char a, b, c;
    s >> std::noskipws >> a >> b >> std::skipws >> c;
    std::stringstream other("3 4");
    Point p;
    other >> p;
    std::ostringstream out;
    out.imbue(std::locale("C"));
    out << p << 1234567;
    std::streamoff end = out.tellp();
    std::streampos at = end;
    bool thrown = false;
    try {
        std::locale none("no such locale");
    } catch (const std::runtime_error&) { thrown = true; }
    return a == 'a' && b == ' ' && c == 'b' && p.y == 4 && out.str() == "3 41234567" && at == 10 && thrown && setlocale(LC_ALL, "") ? 0 : 1;
}
//# member functions as callables
#include <functional>
#include <memory>
#include <vector>
struct Sum {
    int v = 0;
    void add(int a, int b) { v += a * b; }
    int get() const { return v; }
};
int main() {
    using namespace std::placeholders;
    Sum s;
    auto add = std::bind(&Sum::add, &s, _2, 10);
    add(1, 2);
    auto of = std::mem_fn(&Sum::get);
    std::function<void(int)> once = std::bind(&Sum::add, std::ref(s), _1, 1);
    once(5);
    std::function<int(const Sum&)> get = &Sum::get;
    std::vector<Sum> all(3, s);
    int total = 0;
    for (const Sum& one : all) total += of(one);
    auto shared = std::make_shared<Sum>(s);
    std::invoke(&Sum::add, s, 100, 1);
    auto later = std::bind(std::plus<int>(), std::bind(&Sum::get, &s), 0);
    return of(s) == 125 && of(&s) == 125 && get(s) == 125 && total == 75 && of(shared) == 25 ? 0 : 1;
}
//# the order of bytes
#include <arpa/inet.h>
#include <byteswap.h>
#include <endian.h>
int main() { return htonl(0x01020304) != 0x04030201 || ntohs(0x0102) != 0x0201 || bswap_64(1) != 1ull << 56 || be32toh(1) != 1u << 24 || le16toh(7) != 7; }
//# files by their numbers
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
int main() {
    if (open("absent", O_RDONLY) != -1 || errno != ENOENT) return 1;
    int file = open("numbers", O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (file < 3 || write(file, "hello world", 11) != 11) return 2;
    char text[16] = {};
    if (lseek(file, 6, SEEK_SET) != 6 || read(file, text, 16) != 5 || strcmp(text, "world")) return 3;
    struct stat info;
    if (fstat(file, &info) || info.st_size != 11 || !S_ISREG(info.st_mode) || close(file)) return 4;
    if (open("numbers", O_WRONLY | O_CREAT | O_EXCL, 0644) != -1 || errno != EEXIST) return 5;
    file = open("numbers", O_WRONLY | O_APPEND);
    write(file, "!", 1);
    close(file);
    if (stat("numbers", &info) || info.st_size != 12 || unlink("numbers")) return 6;
    return syscall(SYS_gettid) > 0 && write(STDOUT_FILENO, "", 0) == 0 ? 0 : 7;
}
//# lists of values that only move, and lists of equal values
#include <list>
#include <memory>
#include <string>
int main() {
    std::list<int> l(3, 1);
    l.reverse();
    std::list<std::unique_ptr<int>> m;
    m.push_back(std::make_unique<int>(4));
    m.emplace_front(new int(3));
    auto n = std::move(m);
    std::list<std::string> s;
    s.emplace_back(3, 'x');
    const auto& c = s;
    return l.size() == 3 && *n.front() == 3 && *n.back() == 4 && c.front() == "xxx" && m.empty() ? 0 : 1;
}
//# messages of errors, and optional values under their old name
#include <err.h>
#include <cerrno>
#include <experimental/optional>
#include <sys/wait.h>
#include <unistd.h>
int main() {
    std::experimental::optional<int> o;
    o = 3;
    if (!o) errx(1, "no %d", 3);
    errno = ENOENT;
    warn("file %s", "x");
    warnx("only %d", *o);
    int status = 3 << 8;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 3) err(2, "status");
    if (*o == 3) _exit(0);
    return 1;
}
