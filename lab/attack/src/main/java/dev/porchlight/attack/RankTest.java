// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import java.util.Arrays;

/**
 * The Mann-Whitney U test: whether two samples come from the same distribution. It uses only ranks, so
 * outliers weigh no more than other values.
 *
 * @param u the number of pairs in which the left value is greater, ties counted by half
 * @param greater the same as a share of all pairs: 0.5 if the samples are alike, otherwise the effect size
 * @param probability the two-sided p-value under the normal approximation, which is
 *     accurate from 20 values on
 */
record RankTest(double u, double greater, double probability) {

    static RankTest of(long[] left, long[] right) {
        double n = left.length;
        double m = right.length;
        long[] others = right.clone();
        Arrays.sort(others);
        double u = 0;
        for (long value : left) {
            u += (below(value, others) + below(value + 1, others)) / 2.0;
        }
        double deviation = Math.sqrt(n * m / 12 * (n + m + 1 - ties(left, right)));
        double z = deviation == 0 ? 0 : Math.max(0, Math.abs(u - n * m / 2) - 0.5) / deviation;
        return new RankTest(u, u / (n * m), z == 0 ? 1 : Math.min(1, 2 * tail(z)));
    }

    /** The number of sorted values below this one. */
    private static int below(long value, long[] sorted) {
        int from = 0;
        int to = sorted.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (sorted[middle] < value) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
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

    /** The upper tail of the normal distribution (Abramowitz and Stegun 26.2.17), accurate to seven digits. */
    private static double tail(double z) {
        double t = 1 / (1 + 0.2316419 * z);
        double polynomial =
                t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return polynomial * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    }
}
