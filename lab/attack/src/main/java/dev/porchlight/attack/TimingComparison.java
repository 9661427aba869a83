// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.TestResponse;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/** Compares the response times for existing and unknown users with a rank test. Not thread-safe. */
final class TimingComparison {
    private static final double SIGNIFICANT = 0.001;

    private final String what;
    private final Target target;
    private final long[] known;
    private final long[] unknown;
    private int knownCount;
    private int unknownCount;

    TimingComparison(String what, Target target, int rounds) {
        this.what = what;
        this.target = target;
        known = new long[rounds];
        unknown = new long[rounds];
    }

    TestResponse known(Supplier<TestResponse> request) {
        TestResponse response = request.get();
        known[knownCount++] = target.tookNanos();
        return response;
    }

    TestResponse unknown(Supplier<TestResponse> request) {
        TestResponse response = request.get();
        unknown[unknownCount++] = target.tookNanos();
        return response;
    }

    /** The medians, the result of the rank test, and the conclusion. */
    String compare() {
        RankTest test = RankTest.of(known, unknown);
        return String.format(
                Locale.ROOT,
                "timing of %s, %d of each: median %.3f ms known, %.3f ms unknown; U = %.0f, known the slower in %.2f %%"
                        + " of pairs, p = %.3f: %s",
                what,
                knownCount,
                median(known) / 1e6,
                median(unknown) / 1e6,
                test.u(),
                100 * test.greater(),
                test.probability(),
                test.probability() < SIGNIFICANT ? "DIFFERENT" : "no difference found");
    }

    private static double median(long[] samples) {
        long[] sorted = samples.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2.0;
    }
}
