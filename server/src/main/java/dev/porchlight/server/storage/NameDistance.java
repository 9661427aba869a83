// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage;

/** The number of typing mistakes between two texts: characters inserted, omitted or replaced, and neighbors swapped. */
final class NameDistance {
    private NameDistance() {}

    static int of(String one, String other) {
        int[][] distance = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            for (int j = 0; j <= other.length(); j++) {
                distance[i][j] = i == 0 || j == 0 ? i + j : next(one, other, distance, i, j);
            }
        }
        return distance[one.length()][other.length()];
    }

    private static int next(String one, String other, int[][] distance, int i, int j) {
        char last = one.charAt(i - 1);
        char otherLast = other.charAt(j - 1);
        int changed = distance[i - 1][j - 1] + (last == otherLast ? 0 : 1);
        int least = Math.min(changed, 1 + Math.min(distance[i - 1][j], distance[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && last == other.charAt(j - 2) && one.charAt(i - 2) == otherLast;
        return swapped ? Math.min(least, distance[i - 2][j - 2] + 1) : least;
    }
}
