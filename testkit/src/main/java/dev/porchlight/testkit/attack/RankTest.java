// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.attack;

import java.util.Arrays;

/** The test of Mann and Whitney: do two samples come from one distribution, judged by the ranks of their values alone. */
final class RankTest {
    private RankTest() {}

    /** The two-sided probability of ranks at least as uneven, if they do. By the normal distribution, which fits from 20 values on. */
    static double probability(long[] left, long[] right) {
        double n = left.length;
        double m = right.length;
        double ranks = 0;
        for (long value : left) {
            ranks += rank(value, left) + rank(value, right) + 0.5;
        }
        double u = ranks - n * (n + 1) / 2;
        double deviation = Math.sqrt(n * m / 12 * (n + m + 1 - ties(left, right)));
        if (deviation == 0) {
            return 1;
        }
        double z = Math.max(0, Math.abs(u - n * m / 2) - 0.5) / deviation;
        return Math.min(1, 2 * tail(z));
    }

    /** How many are smaller, those that are equal by half. */
    private static double rank(long value, long[] among) {
        double count = 0;
        for (long other : among) {
            count += other < value ? 1 : other == value ? 0.5 : 0;
        }
        return count;
    }

    private static double ties(long[] left, long[] right) {
        long[] all = Arrays.copyOf(left, left.length + right.length);
        System.arraycopy(right, 0, all, left.length, right.length);
        Arrays.sort(all);
        double sum = 0;
        for (int from = 0, to; from < all.length; from = to) {
            to = from;
            while (to < all.length && all[to] == all[from]) {
                to++;
            }
            double same = to - from;
            sum += same * same * same - same;
        }
        double n = all.length;
        return sum / (n * (n - 1));
    }

    /** The upper tail of the normal distribution; Abramowitz and Stegun 26.2.17, good to seven digits. */
    private static double tail(double z) {
        double t = 1 / (1 + 0.2316419 * z);
        double polynomial =
                t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return polynomial * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    }
}
