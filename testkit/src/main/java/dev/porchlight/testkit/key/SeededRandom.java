// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.key;

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/** Sources of randomness that return the same bytes for the same seed. */
public final class SeededRandom {
    private static final String ALGORITHM = "SHA1PRNG";

    private SeededRandom() {}

    public static SecureRandom of(byte[] seed) {
        try {
            SecureRandom random = SecureRandom.getInstance(ALGORITHM);
            random.setSeed(seed);
            return random;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean isSeeded(SecureRandom random) {
        return random.getAlgorithm().equals(ALGORITHM);
    }
}
