// When objects begin and end: in blocks, loops, expressions, arrays, exceptions.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

static int alive = 0;
struct Noisy {
    int id;
    Noisy(int id) : id(id) { alive++; printf("+%d ", id); }
    Noisy(const Noisy& o) : id(o.id + 100) { alive++; printf("c%d ", id); }
    Noisy(Noisy&& o) : id(o.id + 1000) { o.id = -1; alive++; printf("m%d ", id); }
    Noisy& operator=(const Noisy& o) { id = o.id; printf("=%d ", id); return *this; }
    ~Noisy() { alive--; printf("-%d ", id); }
    int get() const { return id; }
};

struct Holder {
    Noisy n;
    Holder() : n(31) {}
};

Noisy make(int id) { return Noisy(id); }
Noisy named(int id) {
    Noisy n(id);
    n.id++;
    return n;
}
int take(Noisy n) { return n.id; }
int look(const Noisy& n) { return n.id; }
struct Base {
    Base() { printf("Base "); }
    virtual ~Base() { printf("~Base "); }
    virtual int area() const { return 0; }
};
struct Square : Base {
    Noisy n;
    int side;
    Square(int side) : n(side), side(side) { printf("Square "); }
    ~Square() { printf("~Square "); }
    int area() const override { return side * side; }
};

int loops() {
    for (int i = 0; i < 5; i++) {
        Noisy n(i);
        if (i == 1) continue;
        if (i == 2) break;
        Noisy m(i + 10);
    }
    printf("| ");
    int k = 0;
    while (true) {
        Noisy w(20 + k);
        if (++k == 2) return w.id;
    }
}

int thrower(int depth) {
    Noisy n(300 + depth);
    if (depth == 2) throw std::runtime_error("deep");
    if (depth == 5) throw 7;
    return thrower(depth + 1) + 1;
}

Noisy& counted() {
    static Noisy only(500);
    only.id++;
    return only;
}

int main() {
    {
        Noisy a(1);
        Noisy b = a;
        Noisy c = make(2);
        Noisy d = named(3);
        b = c;
        printf("| ");
    }
    printf("\n");
    printf("%d ", take(Noisy(4)));
    printf("%d ", look(Noisy(5)));
    printf("%d ", look(make(6)) + make(7).get());
    printf("\n");
    {
        Noisy t(8);
        int x = take(t);
        int y = take(std::move(t));
        printf("%d %d %d\n", x, y, t.id);
    }
    printf("\n");
    { const Noisy& r = make(9); printf("ref %d ", r.id); }
    printf("\n");
    printf("%d\n", loops());
    {
        Noisy* p = new Noisy(30);
        Holder* q = new Holder[3];
        delete p;
        delete[] q;
    }
    printf("\n");
    {
        Base* s = new Square(40);
        printf("%d ", s->area());
        delete s;
    }
    printf("\n");
    try {
        Noisy outer(50);
        thrower(0);
        printf("not here ");
    } catch (const std::exception& e) {
        printf("caught %s ", e.what());
    }
    printf("\n");
    try {
        try {
            thrower(4);
        } catch (const std::exception& e) {
            printf("wrong ");
        } catch (int v) {
            Noisy n(60);
            printf("int %d ", v);
            throw;
        }
    } catch (...) {
        printf("all ");
    }
    printf("\n");
    for (int i = 0; i < 3; i++) {
        try {
            Noisy n(70 + i);
            if (i == 1) continue;
            if (i == 2) throw std::string("text");
        } catch (std::string s) {
            printf("%s ", s.c_str());
        }
    }
    printf("\n");
    bool flag = alive == 0;
    int z = flag ? look(Noisy(90)) : take(make(91));
    printf("%d ", z);
    if (look(Noisy(92)) == 92 && look(Noisy(93)) == 93) printf("both ");
    while (look(Noisy(94)) < 0) {}
    printf("\n");
    counted();
    printf("%d ", counted().id);
    Noisy array[2] = {Noisy(95), 96};
    Noisy last = array[1];
    printf("alive %d\n", alive);
    std::string s = "abc";
    s += std::string("def") + "ghi" + std::to_string(42);
    printf("%s %zu\n", s.c_str(), s.size());
    printf("PASSED\n");
    return 0;
}
