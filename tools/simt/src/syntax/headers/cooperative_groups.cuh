// <cooperative_groups.h>, its reduce.h and scan.h: blocks, tiles of a warp, the lanes that happen
// to be together, and the grid.

namespace cooperative_groups {

struct thread_block {
    __device__ static void sync() { __syncthreads(); }
    __device__ static unsigned int thread_rank() {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    __device__ static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
    __device__ static unsigned int num_threads() { return size(); }
    __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
    __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    __device__ static dim3 dim_threads() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
};

__device__ inline thread_block this_thread_block() { return thread_block(); }

template <unsigned int Size, typename Parent = thread_block> struct thread_block_tile {
    __device__ static unsigned int __mask() {
        return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1u) << (__builtin_laneid & ~(Size - 1u));
    }
    __device__ static unsigned int size() { return Size; }
    __device__ static unsigned int num_threads() { return Size; }
    __device__ static unsigned int thread_rank() { return __builtin_laneid & (Size - 1u); }
    __device__ static unsigned int meta_group_size() { return (Parent::size() + Size - 1u) / Size; }
    __device__ static unsigned int meta_group_rank() { return Parent::thread_rank() / Size; }
    __device__ static void sync() { __syncwarp(__mask()); }
    template <typename T> __device__ T shfl(T v, int lane) const { return __shfl_sync(__mask(), v, lane, (int)Size); }
    template <typename T> __device__ T shfl_up(T v, unsigned int by) const { return __shfl_up_sync(__mask(), v, by, (int)Size); }
    template <typename T> __device__ T shfl_down(T v, unsigned int by) const { return __shfl_down_sync(__mask(), v, by, (int)Size); }
    template <typename T> __device__ T shfl_xor(T v, unsigned int by) const { return __shfl_xor_sync(__mask(), v, by, (int)Size); }
    template <typename T> __device__ T __swap(T v, unsigned int by) const { return shfl_xor(v, by); }
    __device__ int any(int p) const { return __any_sync(__mask(), p); }
    __device__ int all(int p) const { return __all_sync(__mask(), p); }
    __device__ unsigned int ballot(int p) const { return __ballot_sync(__mask(), p) >> (__builtin_laneid & ~(Size - 1u)); }
    template <typename T> __device__ unsigned int match_any(T v) const { return __match_any_sync(__mask(), v) >> (__builtin_laneid & ~(Size - 1u)); }
    template <typename T> __device__ unsigned int match_all(T v, int& same) const {
        return __match_all_sync(__mask(), v, &same) >> (__builtin_laneid & ~(Size - 1u));
    }
};

// Tiles of several warps meet in shared memory, as in the part of it that an H100 reserves: a count
// of arrivals for each tile of 64, 128, 256 and 512 threads, and one value of each warp.
struct __meeting {
    unsigned int __arrived[30];
    unsigned long long __values[32];
};
__device__ inline __meeting& __meeting_of_block() {
    __shared__ __meeting meeting;
    return meeting;
}

template <unsigned int Size, typename Parent> struct __warps_tile {
    __device__ static unsigned int size() { return Size; }
    __device__ static unsigned int num_threads() { return Size; }
    __device__ static unsigned int thread_rank() { return thread_block::thread_rank() % Size; }
    __device__ static unsigned int meta_group_size() { return (Parent::size() + Size - 1u) / Size; }
    __device__ static unsigned int meta_group_rank() { return Parent::thread_rank() / Size; }
    __device__ static unsigned int* __arrived() {
        return &__meeting_of_block().__arrived[32u - 2048u / Size + thread_block::thread_rank() / Size];
    }
    // The value of a warp of this tile.
    template <typename T> __device__ static T* __value(unsigned int warp) {
        static_assert(sizeof(T) <= 8, "a tile of several warps exchanges values of 8 bytes and less");
        return (T*)&__meeting_of_block().__values[(thread_block::thread_rank() - thread_rank()) / 32u + warp];
    }
    __device__ static void sync() {
        __syncwarp();
        if (__builtin_laneid == 0) {
            unsigned int* arrived = __arrived();
            __threadfence_block();
            const unsigned int all = (atomicAdd(arrived, 1u) / (Size / 32) + 1u) * (Size / 32);
            while (*(volatile unsigned int*)arrived < all) {}
            __threadfence_block();
        }
        __syncwarp();
    }
    template <typename T> __device__ T shfl(T v, unsigned int source) const {
        sync();
        if (thread_rank() == source) *__value<T>(0) = v;
        sync();
        return *__value<T>(0);
    }
    template <typename T> __device__ static T __swap(T v, unsigned int by) { return __shfl_xor_sync(0xffffffffu, v, by); }
    // Each warp brings one value; the result is that of all of them, in their order.
    template <typename T, typename Op> __device__ static T __combine(T v, const Op& op) {
        sync();
        if (__builtin_laneid == 0) *__value<T>(thread_rank() / 32) = v;
        sync();
        v = *__value<T>(0);
        for (unsigned int i = 1; i < Size / 32; ++i) v = op(v, *__value<T>(i));
        return v;
    }
    __device__ int any(int p) const { return __combine(__any_sync(0xffffffffu, p), [](int a, int b) { return a | b; }); }
    __device__ int all(int p) const { return __combine(__all_sync(0xffffffffu, p), [](int a, int b) { return a & b; }); }
};
#define TILE(size) template <typename Parent> struct thread_block_tile<size, Parent> : __warps_tile<size, Parent> {};
TILE(64) TILE(128) TILE(256) TILE(512)
#undef TILE

template <typename G> struct __one_warp { static constexpr bool value = true; };
template <unsigned int Size, typename P> struct __one_warp<thread_block_tile<Size, P>> { static constexpr bool value = Size <= 32; };

// The whole parent takes part in the making of a tile of several warps, as on an H100.
template <typename Tile, typename Parent> __device__ inline Tile __tile_of(const Parent& parent) {
    if constexpr (!__one_warp<Tile>::value) {
        parent.sync();
        if (Tile::thread_rank() == 0) *Tile::__arrived() = 0;
        parent.sync();
    }
    return Tile();
}
template <unsigned int Size> __device__ inline thread_block_tile<Size> tiled_partition(const thread_block& parent) {
    static_assert(Size <= 512 && Size > 0 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16, 32, 64, 128, 256 or 512 threads");
    return __tile_of<thread_block_tile<Size>>(parent);
}
template <unsigned int Size, unsigned int Outer, typename Parent>
__device__ inline thread_block_tile<Size, thread_block_tile<Outer, Parent>> tiled_partition(const thread_block_tile<Outer, Parent>& parent) {
    static_assert(Size <= Outer && Size > 0 && (Size & (Size - 1)) == 0, "a tile of a tile is a power of two and no larger");
    return __tile_of<thread_block_tile<Size, thread_block_tile<Outer, Parent>>>(parent);
}

struct coalesced_group {
    unsigned int __lanes;
    // The place among the parts of the group that it is a part of, and their number.
    unsigned int __part = 0, __parts = 1;
    __device__ unsigned int meta_group_rank() const { return __part; }
    __device__ unsigned int meta_group_size() const { return __parts; }
    __device__ unsigned int size() const { return __popc(__lanes); }
    __device__ unsigned int num_threads() const { return __popc(__lanes); }
    __device__ unsigned int thread_rank() const { return __popc(__lanes & ((1u << __builtin_laneid) - 1u)); }
    __device__ void sync() const { __syncwarp(__lanes); }
    template <typename T> __device__ T shfl(T v, int rank) const {
        return __shfl_sync(__lanes, v, __lanes == 0xffffffffu ? rank : (int)__fns(__lanes, 0, rank + 1));
    }
    // A set of lanes of the warp as one of ranks.
    __device__ unsigned int __ranks(unsigned int set) const {
        unsigned int packed = 0, rank = 0;
        for (unsigned int lane = 0; lane < 32; ++lane)
            if (__lanes >> lane & 1u) packed |= (set >> lane & 1u) << rank++;
        return packed;
    }
    template <typename T> __device__ T shfl_up(T v, unsigned int by) const {
        const unsigned int rank = thread_rank();
        return shfl(v, rank < by ? rank : rank - by);
    }
    template <typename T> __device__ T shfl_down(T v, unsigned int by) const {
        const unsigned int rank = thread_rank();
        return shfl(v, rank + by < size() ? rank + by : rank);
    }
    __device__ int any(int p) const { return __any_sync(__lanes, p); }
    __device__ int all(int p) const { return __all_sync(__lanes, p); }
    __device__ unsigned int ballot(int p) const { return __ranks(__ballot_sync(__lanes, p)); }
    template <typename T> __device__ unsigned int match_any(T v) const { return __ranks(__match_any_sync(__lanes, v)); }
    template <typename T> __device__ unsigned int match_all(T v, int& same) const { return __ranks(__match_all_sync(__lanes, v, &same)); }
};

__device__ inline coalesced_group coalesced_threads() { return coalesced_group{__activemask()}; }
// The parts are numbered by their first lanes, and those of two by the side.
template <typename Label> __device__ inline coalesced_group __labeled(unsigned int lanes, Label label) {
    unsigned int own;
    if constexpr (sizeof(Label) > 4) own = __match_any_sync(lanes, (unsigned long long)label);
    else own = __match_any_sync(lanes, (unsigned int)label);
    const unsigned int first = __ballot_sync(lanes, __ffs(own) - 1 == __builtin_laneid);
    return coalesced_group{own, (unsigned int)__popc(first & ((own & -own) - 1u)), (unsigned int)__popc(first)};
}
__device__ inline coalesced_group __binary(unsigned int lanes, bool side) {
    const unsigned int own = __match_any_sync(lanes, (int)side);
    return own == lanes ? coalesced_group{own} : coalesced_group{own, side, 2u};
}
template <typename Label>
__device__ inline coalesced_group labeled_partition(const coalesced_group& g, Label label) { return __labeled(g.__lanes, label); }
__device__ inline coalesced_group binary_partition(const coalesced_group& g, bool side) { return __binary(g.__lanes, side); }
__device__ inline coalesced_group labeled_partition(const coalesced_group& g, bool side) { return __binary(g.__lanes, side); }
template <unsigned int Size, typename Parent>
__device__ inline coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& g, bool side) {
    return __binary(g.__mask(), side);
}
template <unsigned int Size, typename Parent, typename Label>
__device__ inline coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& g, Label label) {
    return __labeled(g.__mask(), label);
}
template <unsigned int Size, typename Parent>
__device__ inline coalesced_group binary_partition(const thread_block_tile<Size, Parent>& g, bool side) {
    return __binary(g.__mask(), side);
}

// A group of a block whose kind is known only at run time: the whole block, or lanes of a warp.
struct thread_group {
    unsigned int __lanes;
    __device__ thread_group(const thread_block&) : __lanes(0) {}
    template <unsigned int Size, typename Parent>
    __device__ thread_group(const thread_block_tile<Size, Parent>& tile) : __lanes(tile.__mask()) {
        static_assert(Size <= 32, "a group whose kind is known at run time is a block or lanes of a warp");
    }
    __device__ thread_group(const coalesced_group& group) : __lanes(group.__lanes) {}
    __device__ unsigned int size() const { return __lanes ? __popc(__lanes) : thread_block::size(); }
    __device__ unsigned int num_threads() const { return size(); }
    __device__ unsigned int thread_rank() const {
        return __lanes ? __popc(__lanes & ((1u << __builtin_laneid) - 1u)) : thread_block::thread_rank();
    }
    __device__ void sync() const {
        if (__lanes) __syncwarp(__lanes);
        else __syncthreads();
    }
};

__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned int size) {
    assert(size > 0 && size <= 32 && (size & (size - 1)) == 0);
    const unsigned int first = __builtin_laneid & ~(size - 1u);
    const unsigned int lanes = (0xffffffffu >> (32 - size)) << first;
    return coalesced_group{parent.__lanes ? parent.__lanes & lanes : lanes};
}

// Memory for tiles of several warps, which a GPU before the A100 needs.
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory {
    unsigned long long __lent[MaxBlockSize / 32];
};
template <unsigned int MaxBlockSize>
__device__ inline thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) { return thread_block(); }

namespace experimental {
template <unsigned int Bytes = 8, unsigned int MaxBlockSize = 1024> struct block_tile_memory : cooperative_groups::block_tile_memory<MaxBlockSize> {};
template <unsigned int Bytes, unsigned int MaxBlockSize>
__device__ inline thread_block this_thread_block(block_tile_memory<Bytes, MaxBlockSize>&) { return thread_block(); }
template <unsigned int Size, typename Parent> __device__ inline auto tiled_partition(const Parent& parent) {
    return cooperative_groups::tiled_partition<Size>(parent);
}
}

// The blocks of a cluster, which reach each other's shared memory.
#define READ(name, of) \
    __device__ static unsigned int __##name() { \
        unsigned int value; \
        asm("mov.u32 %0, %%cluster_" of ";" : "=r"(value)); \
        return value; \
    }
#define AXES(name, of) READ(name##_x, of ".x") READ(name##_y, of ".y") READ(name##_z, of ".z")
struct cluster_group {
    AXES(index, "ctaid") AXES(dim, "nctaid") READ(rank, "ctarank") READ(blocks, "nctarank")
    struct arrival_token {};
    __device__ static arrival_token barrier_arrive() {
        asm volatile("barrier.cluster.arrive;" ::: "memory");
        return arrival_token();
    }
    __device__ static void barrier_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
    __device__ static void barrier_wait(arrival_token&&) { barrier_wait(); }
    __device__ static void sync() {
        barrier_arrive();
        barrier_wait();
    }
    __device__ static unsigned int block_rank() { return __rank(); }
    __device__ static unsigned int num_blocks() { return __blocks(); }
    __device__ static dim3 block_index() { return dim3(__index_x(), __index_y(), __index_z()); }
    __device__ static dim3 dim_blocks() { return dim3(__dim_x(), __dim_y(), __dim_z()); }
    __device__ static unsigned int num_threads() { return num_blocks() * thread_block::size(); }
    __device__ static unsigned int size() { return num_threads(); }
    __device__ static unsigned int thread_rank() { return block_rank() * thread_block::size() + thread_block::thread_rank(); }
    __device__ static dim3 dim_threads() { return dim3(__dim_x() * blockDim.x, __dim_y() * blockDim.y, __dim_z() * blockDim.z); }
    __device__ static dim3 thread_index() {
        return dim3(__index_x() * blockDim.x + threadIdx.x, __index_y() * blockDim.y + threadIdx.y, __index_z() * blockDim.z + threadIdx.z);
    }
    template <typename T> __device__ static T* map_shared_rank(T* at, int rank) {
        T* there;
        asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(at), "r"(rank));
        return there;
    }
    template <typename T> __device__ static unsigned int query_shared_rank(const T* at) {
        unsigned int rank;
        asm("getctarank.u64 %0, %1;" : "=r"(rank) : "l"(at));
        return rank;
    }
};
#undef AXES
#undef READ

__device__ inline cluster_group this_cluster() { return cluster_group(); }

// The sign bit flips each time that all blocks have arrived.
__device__ unsigned int __grid_barrier;

struct grid_group {
    __device__ static bool is_valid() { return __builtin_cooperative != 0; }
    __device__ static void sync() {
        if (!is_valid()) __grid_trap();
        __syncthreads();
        if (thread_block::thread_rank() == 0) {
            const unsigned int blocks = gridDim.x * gridDim.y * gridDim.z;
            const bool first = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0;
            __threadfence();
            const unsigned int before = atomicAdd(&__grid_barrier, first ? 0x80000000u - (blocks - 1u) : 1u);
            while (((before ^ *(volatile unsigned int*)&__grid_barrier) & 0x80000000u) == 0u) {}
            __threadfence();
        }
        __syncthreads();
    }
    __device__ static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    __device__ static unsigned long long block_rank() {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    __device__ static unsigned long long size() { return num_blocks() * thread_block::size(); }
    __device__ static unsigned long long num_threads() { return size(); }
    __device__ static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    __device__ static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};

__device__ inline grid_group this_grid() { return grid_group(); }

template <typename G> __device__ inline void sync(const G& group) { group.sync(); }
template <typename G> __device__ inline void synchronize(const G& group) { group.sync(); }
template <typename G> __device__ inline unsigned int thread_rank(const G& group) { return group.thread_rank(); }
template <typename G> __device__ inline unsigned int group_size(const G& group) { return group.size(); }

template <typename T> struct plus { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T> struct less { __device__ T operator()(T a, T b) const { return b < a ? b : a; } };
template <typename T> struct greater { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
template <typename T> struct bit_and { __device__ T operator()(T a, T b) const { return a & b; } };
template <typename T> struct bit_or { __device__ T operator()(T a, T b) const { return a | b; } };
template <typename T> struct bit_xor { __device__ T operator()(T a, T b) const { return a ^ b; } };

template <unsigned int Size, typename P, typename T, typename Op>
__device__ inline T __butterfly(const thread_block_tile<Size, P>& g, T v, const Op& op) {
    for (unsigned int by = (Size < 32 ? Size : 32) / 2; by > 0; by /= 2) v = op(v, g.__swap(v, by));
    if constexpr (Size > 32) v = g.__combine(v, op);
    return v;
}
template <typename T, typename Op>
__device__ inline T __butterfly(const coalesced_group& g, T v, const Op& op) {
    const unsigned int rank = g.thread_rank(), size = g.size();
    for (unsigned int by = 1; by < size; by *= 2) {
        const T other = g.shfl_down(v, by);
        if (rank % (2 * by) == 0 && rank + by < size) v = op(v, other);
    }
    return g.shfl(v, 0);
}
template <typename G, typename T, typename Op> __device__ inline T reduce(const G& g, T v, const Op& op) {
    return __butterfly(g, v, op);
}
// 32-bit integers are reduced by one instruction.
template <unsigned int Size, typename P> __device__ inline unsigned int __members(const thread_block_tile<Size, P>& g) { return g.__mask(); }
__device__ inline unsigned int __members(const coalesced_group& g) { return g.__lanes; }
#define WHOLE (sizeof(T) == 4 && (T)0.5f == (T)0)
#define REDUCE(op, function) \
    template <typename G, typename T> __device__ inline T reduce(const G& g, T v, const op<T>& f) { \
        if constexpr (WHOLE && __one_warp<G>::value) return function(__members(g), v); \
        else return __butterfly(g, v, f); \
    }
REDUCE(plus, __reduce_add_sync)
REDUCE(less, __reduce_min_sync)
REDUCE(greater, __reduce_max_sync)
REDUCE(bit_and, __reduce_and_sync)
REDUCE(bit_or, __reduce_or_sync)
REDUCE(bit_xor, __reduce_xor_sync)
#undef REDUCE
#undef WHOLE

template <typename G, typename T, typename Op> __device__ inline T inclusive_scan(const G& g, T v, const Op& op) {
    if constexpr (__one_warp<G>::value) {
        const unsigned int rank = g.thread_rank();
        for (unsigned int by = 1; by < g.size(); by *= 2) {
            const T other = g.shfl_up(v, by);
            if (rank >= by) v = op(other, v);
        }
    } else {
        v = inclusive_scan(thread_block_tile<32>(), v, op);
        const unsigned int warp = g.thread_rank() / 32;
        g.sync();
        if (__builtin_laneid == 31) *g.template __value<T>(warp) = v;
        g.sync();
        for (unsigned int i = warp; i-- > 0;) v = op(*g.template __value<T>(i), v);
    }
    return v;
}
template <typename G, typename T> __device__ inline T inclusive_scan(const G& g, T v) {
    return inclusive_scan(g, v, plus<T>());
}
// The value of the thread before; that of the first one is its own.
template <typename G, typename T> __device__ inline T __of_previous(const G& g, T v) {
    if constexpr (__one_warp<G>::value) return g.shfl_up(v, 1u);
    else {
        const unsigned int warp = g.thread_rank() / 32;
        g.sync();
        if (__builtin_laneid == 31) *g.template __value<T>(warp) = v;
        g.sync();
        v = __shfl_up_sync(0xffffffffu, v, 1u);
        return __builtin_laneid == 0 && warp > 0 ? *g.template __value<T>(warp - 1) : v;
    }
}
template <typename G, typename T, typename Op> __device__ inline T exclusive_scan(const G& g, T v, const Op& op) {
    const T before = __of_previous(g, inclusive_scan(g, v, op));
    return g.thread_rank() == 0 ? (T)0 : before;
}
template <typename G, typename T> __device__ inline T exclusive_scan(const G& g, T v) { return exclusive_scan(g, v, plus<T>()); }

// One thread of the group calls a function.
template <typename G, typename F, typename... A> __device__ inline void invoke_one(const G& g, F&& f, A&&... a) {
    if (g.thread_rank() == 0) f(a...);
}
template <typename G, typename F, typename... A> __device__ inline auto invoke_one_broadcast(const G& g, F&& f, A&&... a) {
    decltype(f(a...)) result{};
    if (g.thread_rank() == 0) result = f(a...);
    return g.shfl(result, 0);
}

}
