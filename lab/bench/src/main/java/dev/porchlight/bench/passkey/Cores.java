// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import dev.porchlight.rig.Parallel;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The verification rate of this machine's cores without other work. */
public final class Cores {
    /** The number of cores. */
    public static final int COUNT = Runtime.getRuntime().availableProcessors();

    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private Cores() {}

    /**
     * The result of verifying on all cores for some time.
     *
     * @param perSecond assertions verified per second by all cores
     * @param cpuMicros CPU time per assertion, independent of other load on the machine
     */
    public record Verified(double perSecond, double cpuMicros) {}

    /** Verifies on all cores for some time. */
    public static Verified verify(Duration length) throws IOException, InterruptedException {
        Material material = new Material(NativeProvider.get());
        List<Floor> floors = Stream.generate(() -> new Floor(material, NativeProvider.get()))
                .limit(COUNT)
                .toList();
        long count = 0;
        long cpuNanos = 0;
        for (Part part : Parallel.map(floors, floor -> verifyFor(floor, length))) {
            count += part.count();
            cpuNanos += part.cpuNanos();
        }
        return new Verified(count * 1e9 / length.toNanos(), cpuNanos / 1e3 / count);
    }

    private record Part(long count, long cpuNanos) {}

    private static Part verifyFor(Floor floor, Duration length) throws GeneralSecurityException {
        long count = 0;
        long cpu = CPU.getCurrentThreadCpuTime();
        for (long end = System.nanoTime() + length.toNanos(); System.nanoTime() < end; count++) {
            if (!floor.verify()) {
                throw new GeneralSecurityException("the signature is invalid");
            }
        }
        return new Part(count, CPU.getCurrentThreadCpuTime() - cpu);
    }
}
