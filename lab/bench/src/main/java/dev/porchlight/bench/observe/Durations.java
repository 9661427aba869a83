// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.observe;

import java.util.Random;

/** The same 1,024 log-normal request durations for every contestant: median 3 ms, a tail into the seconds. */
final class Durations {
    static final int MASK = 1023;

    private Durations() {}

    static double[] seconds() {
        var random = new Random(42);
        var seconds = new double[MASK + 1];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = 0.003 * Math.exp(1.3 * random.nextGaussian());
        }
        return seconds;
    }

    static long[] nanos() {
        double[] seconds = seconds();
        var nanos = new long[seconds.length];
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = (long) (seconds[i] * 1e9);
        }
        return nanos;
    }
}
