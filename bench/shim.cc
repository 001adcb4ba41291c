/* SPDX-License-Identifier: MIT */
#include "shim.h"

#include <cstdlib>
#include <ctime>
#include <memory>

#include <benchmark/benchmark.h>

#include "core_clock.h"

namespace
{

bool any_failed = false;

void fail(benchmark::State &state, const char *reason)
{
    any_failed = true;
    state.SkipWithError(reason);
}

/* Every case sets every counter: the CSV reporter takes its columns from the first case it sees. */
void set_counters(benchmark::State &state, double seconds, double rounds, double bytes, double hz)
{
    /* Worked out here: the library's own inverted rates would do, but it prints them as seconds. */
    state.counters["ns/B"] = bytes > 0 ? seconds * 1e9 / bytes : 0;
    state.counters["cyc/B(est)"] = bytes > 0 ? seconds * hz / bytes : 0;
    state.counters["cyc/op(est)"] = rounds > 0 ? seconds * hz / rounds : 0;
    state.counters["GHz(est)"] = hz * 1e-9;
}

void measure(benchmark::State &state, const bench_case &bench)
{
    const auto count = state.max_iterations;
    const char *problem = bench.prepare(bench.context);
    double seconds = 0;

    if (problem != nullptr) {
        fail(state, problem);
        return;
    }
    /* One batch holds all the rounds that the library wants: the condition is true just once. */
    while (state.KeepRunningBatch(count)) {
        const std::clock_t start = std::clock();

        problem = bench.run(bench.context, static_cast<uint64_t>(count));
        seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        if (problem != nullptr) {
            fail(state, problem);
            return;
        }
    }
    /* Right behind the loop, while the core still has the clock that the loop left it at. */
    const double hz = core_clock_hz();
    const int64_t bytes = state.iterations() * static_cast<int64_t>(bench.bytes);

    if (bytes > 0) {
        state.SetBytesProcessed(bytes);
    }
    set_counters(state, seconds, static_cast<double>(state.iterations()),
                 static_cast<double>(bytes), hz);
}

} // namespace

extern "C" void bench_register(const char *name, const bench_case *bench)
{
    const bench_case copy = *bench;
    const std::shared_ptr<void> owner(copy.context, std::free);

    benchmark::RegisterBenchmark(name,
                                 [copy, owner](benchmark::State &state) { measure(state, copy); });
}

extern "C" void bench_note(const char *key, const char *value)
{
    benchmark::AddCustomContext(key, value);
}

extern "C" int bench_run_all(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
        return 1;
    }
    const size_t found = benchmark::RunSpecifiedBenchmarks();

    benchmark::Shutdown();
    return found == 0 || any_failed ? 1 : 0;
}
