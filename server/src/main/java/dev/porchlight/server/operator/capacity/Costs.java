// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.capacity;

/**
 * The cost of a login, a registration and a user on PostgreSQL, as {@code ./porchlight bench capacity} measured it. CPU time is
 * given in signature checks, so that it applies to other machines: a check is the CPU time of one ES256 verification.
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

    /** Bytes that a login adds to PostgreSQL's write-ahead log, which replicas receive. */
    static final int LOGIN_WAL_BYTES = 2_000;

    private Costs() {}

    /**
     * The logins per second of cores that run the instances, PostgreSQL and, in a benchmark, the clients.
     *
     * @param checkMicros CPU time of a signature check
     * @param otherMicros other CPU time per login on the same cores
     */
    public static double loginsPerSecond(int cores, double checkMicros, double otherMicros) {
        return cores * 1e6 / (otherMicros + checkMicros * (LOGIN_IN_INSTANCE + LOGIN_IN_DATABASE));
    }
}
