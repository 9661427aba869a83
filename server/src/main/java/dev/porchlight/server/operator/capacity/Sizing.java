// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.capacity;

/** The size of a deployment that meets a demand. Immutable. */
public final class Sizing {
    /** Machines are half busy at the peak, so that one may fail and a restart is not felt. */
    private static final double BUSY = 0.5;

    private static final int INSTANCE_CORES = 2;
    private static final int CONNECTIONS_PER_INSTANCE = 10;

    /** A database server that is easy to rent; larger ones exist. */
    private static final int DATABASE_CORES = 16;

    private static final double DATABASE_BYTES = 4e12;

    /** Used challenges are kept for ten minutes after they expire, and removed ten minutes at a time. */
    private static final double USED_CHALLENGE_SECONDS = 25 * 60;

    private static final int DAYS_A_YEAR = 365;

    private final Demand demand;

    public Sizing(Demand demand) {
        this.demand = demand;
    }

    /** Cores of instances that are busy at the peak. */
    public double instanceCores() {
        return cores(Costs.LOGIN_IN_INSTANCE, Costs.REGISTRATION_IN_INSTANCE);
    }

    /** Cores of the database server that are busy at the peak. */
    public double databaseCores() {
        return cores(Costs.LOGIN_IN_DATABASE, Costs.REGISTRATION_IN_DATABASE);
    }

    private double cores(double login, double registration) {
        double checks = demand.peakLogins() * login + demand.peakRegistrations() * registration;
        return checks * demand.checkMicros() / 1e6;
    }

    /** Two at least, so that one may fail. */
    public long instances() {
        return Math.max(2, (long) Math.ceil(instanceCores() / (INSTANCE_CORES * BUSY)));
    }

    public long connections() {
        return instances() * CONNECTIONS_PER_INSTANCE;
    }

    /** Bytes of what stays: users and their passkeys. */
    public double accountBytes() {
        return demand.users() * (Costs.USER_BYTES + demand.passkeysPerUser() * Costs.PASSKEY_BYTES);
    }

    /** Bytes of what comes and goes: sessions and used challenges. */
    public double passingBytes() {
        return demand.liveSessions() * Costs.SESSION_BYTES + usedChallenges() * Costs.USED_CHALLENGE_BYTES;
    }

    /** Bytes that the audit log grows by in a year, unless rows are removed after a time. */
    public double auditBytesPerYear() {
        return (double) (demand.loginsPerDay() + demand.registrationsPerDay()) * DAYS_A_YEAR * Costs.AUDIT_BYTES;
    }

    /** Bytes of write-ahead log in a day: what a replica or an archive receives. */
    public double walBytesPerDay() {
        return (double) demand.loginsPerDay() * Costs.LOGIN_WAL_BYTES;
    }

    /** Bytes of Redis, if sessions and used challenges are kept there. */
    public double redisBytes() {
        return demand.liveSessions() * Costs.REDIS_SESSION_BYTES + usedChallenges() * Costs.REDIS_USED_CHALLENGE_BYTES;
    }

    private double usedChallenges() {
        return demand.peakLogins() * USED_CHALLENGE_SECONDS;
    }

    /** What one database server can do at most, with logins as they are asked for. */
    public double loginsPerDatabase() {
        return DATABASE_CORES * BUSY * 1e6 / (Costs.LOGIN_IN_DATABASE * demand.checkMicros());
    }

    /** The part that is used up first when the demand grows, and what to do then. */
    public String bottleneck() {
        double cpu = databaseCores() / (DATABASE_CORES * BUSY);
        double disk = (accountBytes() + passingBytes() + auditBytesPerYear()) / DATABASE_BYTES;
        if (disk > cpu) {
            return disk < 1
                    ? "disk: within a year one database server of 4 TB is %.0f %% full, mostly of audit rows"
                            .formatted(100 * disk)
                    : "disk: the audit log outgrows 4 TB within a year. Set AUDIT_RETENTION_DAYS, or give the database larger disks";
        }
        return cpu < 1
                ? "database CPU: a server with 16 cores is used to %.0f %% of what it should carry at the peak"
                        .formatted(100 * cpu)
                : "database CPU: one server with 16 cores does not carry it. Set REDIS_URL, then distribute the tables by user";
    }
}
