// Breadth-first search, level by level, with masks as in old benchmark suites.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MAX_THREADS_PER_BLOCK 256

struct Node
{
    int starting;
    int no_of_edges;
};

__global__ void Kernel(Node *g_graph_nodes, int *g_graph_edges, bool *g_graph_mask, bool *g_updating_graph_mask, bool *g_graph_visited, int *g_cost, int no_of_nodes)
{
    int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
    if (tid < no_of_nodes && g_graph_mask[tid])
    {
        g_graph_mask[tid] = false;
        for (int i = g_graph_nodes[tid].starting; i < (g_graph_nodes[tid].no_of_edges + g_graph_nodes[tid].starting); i++)
        {
            int id = g_graph_edges[i];
            if (!g_graph_visited[id])
            {
                g_cost[id] = g_cost[tid] + 1;
                g_updating_graph_mask[id] = true;
            }
        }
    }
}

__global__ void Kernel2(bool *g_graph_mask, bool *g_updating_graph_mask, bool *g_graph_visited, bool *g_over, int no_of_nodes)
{
    int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
    if (tid < no_of_nodes && g_updating_graph_mask[tid])
    {
        g_graph_mask[tid] = true;
        g_graph_visited[tid] = true;
        *g_over = true;
        g_updating_graph_mask[tid] = false;
    }
}

void BFSGraph(int no_of_nodes, int edges_per_node)
{
    int edge_list_size = no_of_nodes * edges_per_node;
    Node *h_nodes = (Node *)malloc(sizeof(Node) * no_of_nodes);
    int *h_edges = (int *)malloc(sizeof(int) * edge_list_size);
    bool *h_mask = (bool *)malloc(sizeof(bool) * no_of_nodes);
    bool *h_visited = (bool *)malloc(sizeof(bool) * no_of_nodes);
    int *h_cost = (int *)malloc(sizeof(int) * no_of_nodes);
    unsigned int seed = 7;
    for (int i = 0; i < no_of_nodes; i++)
    {
        h_nodes[i].starting = i * edges_per_node;
        h_nodes[i].no_of_edges = edges_per_node;
        for (int k = 0; k < edges_per_node; k++)
        {
            seed = seed * 1103515245u + 12345u;
            h_edges[i * edges_per_node + k] = (seed >> 8) % no_of_nodes;
        }
        h_mask[i] = false;
        h_visited[i] = false;
        h_cost[i] = -1;
    }
    int source = 0;
    h_mask[source] = true;
    h_visited[source] = true;
    h_cost[source] = 0;

    Node *d_nodes;
    int *d_edges, *d_cost;
    bool *d_mask, *d_updating, *d_visited, *d_over;
    cudaMalloc((void **)&d_nodes, sizeof(Node) * no_of_nodes);
    cudaMalloc((void **)&d_edges, sizeof(int) * edge_list_size);
    cudaMalloc((void **)&d_mask, sizeof(bool) * no_of_nodes);
    cudaMalloc((void **)&d_updating, sizeof(bool) * no_of_nodes);
    cudaMalloc((void **)&d_visited, sizeof(bool) * no_of_nodes);
    cudaMalloc((void **)&d_cost, sizeof(int) * no_of_nodes);
    cudaMalloc((void **)&d_over, sizeof(bool));
    cudaMemcpy(d_nodes, h_nodes, sizeof(Node) * no_of_nodes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_edges, h_edges, sizeof(int) * edge_list_size, cudaMemcpyHostToDevice);
    cudaMemcpy(d_mask, h_mask, sizeof(bool) * no_of_nodes, cudaMemcpyHostToDevice);
    cudaMemset(d_updating, 0, sizeof(bool) * no_of_nodes);
    cudaMemcpy(d_visited, h_visited, sizeof(bool) * no_of_nodes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_cost, h_cost, sizeof(int) * no_of_nodes, cudaMemcpyHostToDevice);

    int num_of_blocks = 1;
    int num_of_threads_per_block = no_of_nodes;
    if (no_of_nodes > MAX_THREADS_PER_BLOCK)
    {
        num_of_blocks = (no_of_nodes + MAX_THREADS_PER_BLOCK - 1) / MAX_THREADS_PER_BLOCK;
        num_of_threads_per_block = MAX_THREADS_PER_BLOCK;
    }
    dim3 grid(num_of_blocks, 1, 1);
    dim3 threads(num_of_threads_per_block, 1, 1);
    int k = 0;
    bool stop;
    do
    {
        stop = false;
        cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice);
        Kernel<<<grid, threads, 0>>>(d_nodes, d_edges, d_mask, d_updating, d_visited, d_cost, no_of_nodes);
        Kernel2<<<grid, threads, 0>>>(d_mask, d_updating, d_visited, d_over, no_of_nodes);
        cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost);
        k++;
    } while (stop);
    printf("Kernel Executed %d times\n", k);
    cudaMemcpy(h_cost, d_cost, sizeof(int) * no_of_nodes, cudaMemcpyDeviceToHost);

    // The same with a queue.
    int *cost = (int *)malloc(sizeof(int) * no_of_nodes), *queue = (int *)malloc(sizeof(int) * no_of_nodes);
    for (int i = 0; i < no_of_nodes; i++) cost[i] = -1;
    int head = 0, tail = 0;
    cost[source] = 0;
    queue[tail++] = source;
    while (head < tail)
    {
        int v = queue[head++];
        for (int e = h_nodes[v].starting; e < h_nodes[v].starting + h_nodes[v].no_of_edges; e++)
            if (cost[h_edges[e]] < 0)
            {
                cost[h_edges[e]] = cost[v] + 1;
                queue[tail++] = h_edges[e];
            }
    }
    int same = memcmp(cost, h_cost, sizeof(int) * no_of_nodes) == 0;
    printf("reached %d of %d\n", tail, no_of_nodes);
    printf("%s\n", same ? "Result: passed" : "Result: FAILED");
    free(h_nodes); free(h_edges); free(h_mask); free(h_visited); free(h_cost); free(cost); free(queue);
    cudaFree(d_nodes); cudaFree(d_edges); cudaFree(d_mask); cudaFree(d_updating); cudaFree(d_visited); cudaFree(d_cost); cudaFree(d_over);
    if (!same) exit(1);
}

int main(int argc, char **argv)
{
    int nodes = 3000;
    if (argc == 2) nodes = atoi(argv[1]);
    else if (argc > 2)
    {
        fprintf(stderr, "Usage: %s [nodes]\n", argv[0]);
        exit(0);
    }
    BFSGraph(nodes, 3);
    return 0;
}
