// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.capacity;

import java.time.Duration;

/**
 * The size of a deployment that handles a load.
 *
 * <p>The costs of a login, a registration and a user on PostgreSQL are those that {@code ./porchlight bench capacity} measured.
 * CPU time is given in signature checks, so that it applies to other machines: a check is the CPU time of one ES256
 * verification.
 *
 * @param peak the ratio of the busiest minute to the average
 * @param checkMicros CPU time of a signature check on the machines
 * @param sessions the lifetime of a session
 */
public record Sizing(
        long users,
        long loginsPerDay,
        long registrationsPerDay,
        double passkeysPerUser,
        double peak,
        double checkMicros,
        Duration sessions) {
    private static final double LOGIN_IN_INSTANCE = 5.6;
    private static final double LOGIN_IN_DATABASE = 3.3;
    private static final double REGISTRATION_IN_INSTANCE = 23;
    private static final double REGISTRATION_IN_DATABASE = 19;

    /** Bytes of rows with their indexes. */
    private static final int USER_BYTES = 420;

    private static final int PASSKEY_BYTES = 1_040;
    private static final int SESSION_BYTES = 600;
    private static final int USED_CHALLENGE_BYTES = 110;
    private static final int AUDIT_BYTES = 350;

    /** Bytes that a login adds to PostgreSQL's write-ahead log, which replicas receive. */
    private static final int LOGIN_WAL_BYTES = 2_000;

    /** The utilization at the peak, which tolerates a failed machine and restarts. */
    private static final double UTILIZATION = 0.5;

    private static final int INSTANCE_CORES = 2;
    private static final int CONNECTIONS_PER_INSTANCE = 10;

    /** A common size of database servers. */
    private static final int DATABASE_CORES = 16;

    private static final double DATABASE_BYTES = 4e12;

    /** Used challenges are kept for ten minutes after they expire, and removed in batches of ten minutes. */
    private static final double USED_CHALLENGE_SECONDS = 25 * 60;

    private static final double SECONDS_A_DAY = 86_400;
    private static final int DAYS_A_YEAR = 365;

    /**
     * The logins per second of cores that run the instances, PostgreSQL and, in a benchmark, the clients.
     *
     * @param checkMicros CPU time of a signature check
     * @param otherMicros other CPU time per login on the same cores
     */
    public static double loginsPerSecond(int cores, double checkMicros, double otherMicros) {
        return cores * 1e6 / (otherMicros + checkMicros * (LOGIN_IN_INSTANCE + LOGIN_IN_DATABASE));
    }

    public double averageLogins() {
        return loginsPerDay / SECONDS_A_DAY;
    }

    public double peakLogins() {
        return averageLogins() * peak;
    }

    /** The instance cores in use at the peak. */
    public double instanceCores() {
        return cores(LOGIN_IN_INSTANCE, REGISTRATION_IN_INSTANCE);
    }

    /** The database cores in use at the peak. */
    public double databaseCores() {
        return cores(LOGIN_IN_DATABASE, REGISTRATION_IN_DATABASE);
    }

    private double cores(double login, double registration) {
        double checks = peakLogins() * login + registrationsPerDay / SECONDS_A_DAY * peak * registration;
        return checks * checkMicros / 1e6;
    }

    /** At least two, so that one may fail. */
    public long instances() {
        return Math.max(2, (long) Math.ceil(instanceCores() / (INSTANCE_CORES * UTILIZATION)));
    }

    public long connections() {
        return instances() * CONNECTIONS_PER_INSTANCE;
    }

    /** The size of users and passkeys in bytes. */
    public double accountBytes() {
        return users * (USER_BYTES + passkeysPerUser * PASSKEY_BYTES);
    }

    /** The size of sessions and used challenges in bytes. */
    public double transientBytes() {
        return averageLogins() * sessions.toSeconds() * SESSION_BYTES
                + peakLogins() * USED_CHALLENGE_SECONDS * USED_CHALLENGE_BYTES;
    }

    /** The yearly growth of the audit log in bytes, without retention. */
    public double auditBytesPerYear() {
        return (double) (loginsPerDay + registrationsPerDay) * DAYS_A_YEAR * AUDIT_BYTES;
    }

    /** The daily write-ahead log in bytes, which replicas and archives receive. */
    public double walBytesPerDay() {
        return (double) loginsPerDay * LOGIN_WAL_BYTES;
    }

    /** The maximum logins per second of one database server. */
    public double loginsPerDatabase() {
        return DATABASE_CORES * UTILIZATION * 1e6 / (LOGIN_IN_DATABASE * checkMicros);
    }

    /** The resource that is exhausted first when the load grows, and what to do then. */
    public String bottleneck() {
        double cpu = databaseCores() / (DATABASE_CORES * UTILIZATION);
        double disk = (accountBytes() + transientBytes() + auditBytesPerYear()) / DATABASE_BYTES;
        if (disk > cpu) {
            return disk < 1
                    ? "disk: within a year one database server of 4 TB is %.0f %% full, mostly with audit rows"
                            .formatted(100 * disk)
                    : "disk: the audit log outgrows 4 TB within a year. Set AUDIT_RETENTION_DAYS, or give the database larger disks";
        }
        return cpu < 1
                ? "database CPU: a server with 16 cores is at %.0f %% of its recommended load at the peak"
                        .formatted(100 * cpu)
                : "database CPU: one server with 16 cores is not enough. Distribute the tables by user";
    }
}
