// CUDA's sorts of the benchmark's inputs: CUB's segmented sort, its segmented radix sort, and its
// radix sort of one domain, of which segments are made one by putting their number above the key.
// peers.h has the lines that it reads and writes. `./run peers` compiles it.
#include "gpu_clock.h"
#include "inputs.h"
#include "spread.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace
{
const double seconds_max = 2; // of all repetitions
const int repetitions_min = 3;

void check(cudaError_t error)
{
    if (error != cudaSuccess)
        throw std::runtime_error(cudaGetErrorString(error));
}

// Device memory, freed with it.
template <class T> class Device
{
  public:
    explicit Device(size_t count)
    {
        check(cudaMalloc(&data_, (count + 1) * sizeof(T)));
    }
    Device(const T *host, size_t count) : Device(count)
    {
        check(cudaMemcpy(data_, host, count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~Device()
    {
        cudaFree(data_);
    }
    Device(const Device &) = delete;
    Device &operator=(const Device &) = delete;
    T *get() const
    {
        return data_;
    }

  private:
    T *data_ = nullptr;
};

struct Effort {
    double warm_up;
    int repetitions;
    int verify;
};

struct Case {
    Effort effort;
    inputs what;
    inputs_data data;
};

// A case's rows on the device.
template <class Key> struct Rows {
    Device<Key> keys, output_keys;
    Device<uint32_t> values, output_values;
    int count;

    explicit Rows(const inputs_data &data)
        : keys(reinterpret_cast<const Key *>(data.keys), data.rows), output_keys(data.rows),
          values(data.values, data.rows), output_values(data.rows),
          count(static_cast<int>(data.rows))
    {
    }
};

template <class Sort> float milliseconds(Sort sort)
{
    cudaEvent_t begin, end;
    float time = 0;
    check(cudaEventCreate(&begin));
    check(cudaEventCreate(&end));
    check(cudaEventRecord(begin));
    sort();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    check(cudaEventElapsedTime(&time, begin, end));
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    return time;
}

// Of as many runs as so many seconds take.
template <class Sort> double least_seconds(double seconds, Sort sort)
{
    double begin = spread_seconds(), least = HUGE_VAL;
    do {
        double start = spread_seconds();
        sort();
        check(cudaDeviceSynchronize());
        least = std::min(least, spread_seconds() - start);
    } while (spread_seconds() - begin < seconds);
    return least;
}

// As timer.c does it.
template <class Sort> unsigned warm_up(double seconds, Sort sort)
{
    double start = spread_seconds(), passed = 0, before, least = HUGE_VAL;
    bool asked = false;
    do {
        before = least;
        least = least_seconds(std::max(0.25 * seconds, 0.06), sort);
        passed = spread_seconds() - start;
        if (!asked && passed >= seconds / 2) {
            gpu_clock_start();
            asked = true;
        }
    } while (passed < seconds || (least < 0.98 * before && passed < 4 * seconds));
    return gpu_clock_finish();
}

template <class Key> bool sorted(const Case &c, const Rows<Key> &rows)
{
    std::vector<Key> keys(rows.count);
    std::vector<uint32_t> values(rows.count);
    check(cudaMemcpy(keys.data(), rows.output_keys.get(), keys.size() * sizeof(Key),
                     cudaMemcpyDeviceToHost));
    check(cudaMemcpy(values.data(), rows.output_values.get(), values.size() * 4,
                     cudaMemcpyDeviceToHost));
    return inputs_sorted(&c.what, &c.data, reinterpret_cast<const uint32_t *>(keys.data()),
                         values.data());
}

template <class Key, class Sort>
void tell(const Case &c, const Rows<Key> &rows, const char *name, size_t scratch, Sort sort)
{
    check(cudaMemset(rows.output_keys.get(), 0xff, rows.count * sizeof(Key)));
    check(cudaMemset(rows.output_values.get(), 0xff, rows.count * sizeof(uint32_t)));
    sort();
    check(cudaDeviceSynchronize());
    bool verified = c.effort.verify && sorted(c, rows);
    unsigned clock = warm_up(c.effort.warm_up, sort);
    std::vector<double> times;
    double start = spread_seconds();
    while (static_cast<int>(times.size()) < c.effort.repetitions &&
           (static_cast<int>(times.size()) < repetitions_min ||
            spread_seconds() - start < seconds_max))
        times.push_back(milliseconds(sort));
    spread spread = spread_of(times.data(), static_cast<int>(times.size()));
    printf("time %s %zu %d %u %d %.6f %.6f %.6f %.6f %.6f\n", name, scratch, verified, clock,
           spread.repetitions, spread.median, spread.least, spread.most, spread.tenth,
           spread.ninetieth);
    fflush(stdout);
}

// Runs call(scratch, bytes) the way CUB wants it: once for the bytes, then with them. extra: bytes
// that it uses besides.
template <class Key, class Call>
void measure(const Case &c, const Rows<Key> &rows, const char *name, size_t extra, Call call)
{
    try {
        size_t bytes = 0;
        check(call(nullptr, bytes));
        Device<char> scratch(bytes);
        tell(c, rows, name, bytes + extra, [&] { check(call(scratch.get(), bytes)); });
    } catch (const std::exception &error) {
        cudaGetLastError();
        printf("failed %s %s\n", name, error.what());
    }
}

template <class Key> void segmented_sort(const Case &c, const Rows<Key> &r, const int *offsets)
{
    int segments = static_cast<int>(c.data.count);
    measure(c, r, "cub-segmented", 0, [&](void *scratch, size_t &bytes) {
        return c.what.direction == GL_SEGSORT_DESCENDING
                   ? cub::DeviceSegmentedSort::StableSortPairsDescending(
                         scratch, bytes, r.keys.get(), r.output_keys.get(), r.values.get(),
                         r.output_values.get(), r.count, segments, offsets, offsets + 1)
                   : cub::DeviceSegmentedSort::StableSortPairs(
                         scratch, bytes, r.keys.get(), r.output_keys.get(), r.values.get(),
                         r.output_values.get(), r.count, segments, offsets, offsets + 1);
    });
}

template <class Key>
void segmented_radix_sort(const Case &c, const Rows<Key> &r, const int *offsets)
{
    int segments = static_cast<int>(c.data.count);
    measure(c, r, "cub-segmented-radix", 0, [&](void *scratch, size_t &bytes) {
        return c.what.direction == GL_SEGSORT_DESCENDING
                   ? cub::DeviceSegmentedRadixSort::SortPairsDescending(
                         scratch, bytes, r.keys.get(), r.output_keys.get(), r.values.get(),
                         r.output_values.get(), r.count, segments, offsets, offsets + 1)
                   : cub::DeviceSegmentedRadixSort::SortPairs(
                         scratch, bytes, r.keys.get(), r.output_keys.get(), r.values.get(),
                         r.output_values.get(), r.count, segments, offsets, offsets + 1);
    });
}

template <class Key> void radix_sort(const Case &c, const Rows<Key> &r)
{
    measure(c, r, "cub-radix", 0, [&](void *scratch, size_t &bytes) {
        return c.what.direction == GL_SEGSORT_DESCENDING
                   ? cub::DeviceRadixSort::SortPairsDescending(scratch, bytes, r.keys.get(),
                                                               r.output_keys.get(), r.values.get(),
                                                               r.output_values.get(), r.count)
                   : cub::DeviceRadixSort::SortPairs(scratch, bytes, r.keys.get(),
                                                     r.output_keys.get(), r.values.get(),
                                                     r.output_values.get(), r.count);
    });
}

__global__ void put_segment_above_key(const uint32_t *keys, const uint32_t *segments, uint32_t flip,
                                      uint64_t *both, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        both[i] = static_cast<uint64_t>(segments[i]) << 32 | (keys[i] ^ flip);
}

__global__ void take_key(const uint64_t *both, uint32_t flip, uint32_t *keys, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        keys[i] = static_cast<uint32_t>(both[i]) ^ flip;
}

int bits_of(size_t number)
{
    int bits = 0;
    for (; number > 0; number >>= 1)
        bits++;
    return bits;
}

// Each row's segment is there beforehand, since it is part of the layout; the keys are not.
void segment_and_key(const Case &c, const Rows<uint32_t> &r)
{
    std::vector<uint32_t> numbers(r.count);
    for (size_t i = 0; i < c.data.count; i++)
        std::fill_n(numbers.begin() + c.data.segments[i].keys_offset, c.data.segments[i].length,
                    static_cast<uint32_t>(i));
    Device<uint32_t> segments(numbers.data(), numbers.size());
    Device<uint64_t> both(r.count), output(r.count);
    uint32_t flip = c.what.direction == GL_SEGSORT_DESCENDING ? 0xffffffff : 0;
    int end_bit = 32 + bits_of(c.data.count - 1), groups = (r.count + 255) / 256;
    measure(c, r, "cub-radix-composite", r.count * (size_t)20, [&](void *scratch, size_t &bytes) {
        if (scratch)
            put_segment_above_key<<<groups, 256>>>(r.keys.get(), segments.get(), flip, both.get(),
                                                   r.count);
        cudaError_t error = cub::DeviceRadixSort::SortPairs(
            scratch, bytes, both.get(), output.get(), r.values.get(), r.output_values.get(),
            r.count, 0, end_bit);
        if (scratch)
            take_key<<<groups, 256>>>(output.get(), flip, r.output_keys.get(), r.count);
        return error == cudaSuccess ? cudaGetLastError() : error;
    });
}

// What would take seconds, and is never the best, is left out.
template <class Key> void run_case(const Case &c)
{
    Rows<Key> rows(c.data);
    std::vector<int> ends{0};
    for (size_t i = 0; i < c.data.count; i++)
        ends.push_back(ends.back() + static_cast<int>(c.data.segments[i].length));
    Device<int> offsets(ends.data(), ends.size());
    if (c.data.count == 1)
        radix_sort(c, rows);
    if (c.data.longest <= 1 << 20 || c.data.count > 1)
        segmented_sort(c, rows, offsets.get());
    if (c.data.rows / c.data.count >= 128 && c.data.longest <= 1 << 20)
        segmented_radix_sort(c, rows, offsets.get());
    if constexpr (std::is_same_v<Key, uint32_t>)
        if (c.data.count > 1) {
            try {
                segment_and_key(c, rows);
            } catch (const std::exception &error) {
                printf("failed cub-radix-composite %s\n", error.what());
            }
        }
}

void run_by_type(const Case &c)
{
    switch (c.what.key_type) {
    case GL_SEGSORT_KEY_I32:
        return run_case<int32_t>(c);
    case GL_SEGSORT_KEY_F32:
        return run_case<float>(c);
    case GL_SEGSORT_KEY_U64:
        return run_case<uint64_t>(c);
    default:
        return run_case<uint32_t>(c);
    }
}

void answer(const char *line)
{
    Case c{};
    int read = 0;
    if (sscanf(line, "case %lf %d %d %n", &c.effort.warm_up, &c.effort.repetitions,
               &c.effort.verify, &read) != 3 ||
        !inputs_read(line + read, &c.what)) {
        printf("failed all no such case: %s\n", line);
    } else if (!inputs_create(&c.what, &c.data)) {
        printf("failed all out of host memory\n");
    } else {
        try {
            run_by_type(c);
        } catch (const std::exception &error) {
            printf("failed all %s\n", error.what());
        }
        inputs_destroy(&c.data);
    }
    printf("done\n");
    fflush(stdout);
}
} // namespace

int main()
{
    cudaDeviceProp device;
    cudaError_t error = cudaGetDeviceProperties(&device, 0);
    if (error != cudaSuccess) {
        printf("error no CUDA device: %s\n", cudaGetErrorString(error));
        return 1;
    }
    printf("ready %s, CUB %d.%d.%d\n", device.name, CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
           CUB_SUBMINOR_VERSION);
    fflush(stdout);
    char line[512];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        answer(line);
    }
    return 0;
}
