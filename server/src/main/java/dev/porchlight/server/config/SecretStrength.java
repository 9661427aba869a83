// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

/** Refuses secrets that are obviously weak. Random ones in hexadecimal or base64 pass. */
final class SecretStrength {
    /** 32 random hexadecimal digits have fewer distinct ones in about one of a million cases. */
    private static final int DISTINCT = 8;

    private SecretStrength() {}

    /** Adds a fault if a secret has too few distinct characters. */
    static void check(Environment env, Variable variable, String secret) {
        long distinct = secret.codePoints().distinct().count();
        if (distinct < DISTINCT) {
            env.fault(
                    variable,
                    distinct == 1 ? "is one character repeated" : "has only " + distinct + " different characters",
                    "set a random value, as from: openssl rand -hex 32");
        }
    }
}
