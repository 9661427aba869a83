// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.capacity;

/**
 * What a login, a registration and a user cost on PostgreSQL, as {@code ./porchlight bench capacity} measured it. CPU time is
 * counted in signature checks, so that it can be carried over to other machines: a check is the CPU time of one bare ES256
 * verification there.
 */
public final class Costs {
    static final double LOGIN_IN_INSTANCE = 5.6;
    static final double LOGIN_IN_DATABASE = 3.3;
    static final double REGISTRATION_IN_INSTANCE = 23;
    static final double REGISTRATION_IN_DATABASE = 19;

    /** Bytes of rows with their indexes. */
    static final int USER_BYTES = 420;

    static final int PASSKEY_BYTES = 1_040;
    static final int SESSION_BYTES = 600;
    static final int USED_CHALLENGE_BYTES = 110;
    static final int AUDIT_BYTES = 350;

    /** Bytes that a login adds to PostgreSQL's write-ahead log, and so to what replicas receive. */
    static final int LOGIN_WAL_BYTES = 2_000;

    /** Bytes of a key and its value in Redis. */
    static final int REDIS_SESSION_BYTES = 850;

    static final int REDIS_USED_CHALLENGE_BYTES = 150;

    private Costs() {}

    /**
     * How many logins a second some cores do when they serve the instances, PostgreSQL and, as in a benchmark, those who sign in.
     *
     * @param checkMicros CPU time of a signature check there
     * @param otherMicros CPU time that each login takes on the same cores for anything else
     */
    public static double loginsPerSecond(int cores, double checkMicros, double otherMicros) {
        return cores * 1e6 / (otherMicros + checkMicros * (LOGIN_IN_INSTANCE + LOGIN_IN_DATABASE));
    }
}
