// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Measures the CPU time of the process per operation, in nanoseconds: that of background threads, the compiler and garbage
 * collection too, but not the time that other programs use.
 */
public final class CpuProfiler implements InternalProfiler {
    static final String RESULT = "cpu.norm";

    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long before;

    @Override
    public String getDescription() {
        return "CPU time of the process per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = process.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double used = process.getProcessCpuTime() - before;
        long operations = Math.max(1, result.getMetadata().getAllOps());
        return List.of(new ScalarResult(RESULT, used / operations, "ns/op", AggregationPolicy.AVG));
    }
}
