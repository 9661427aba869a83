// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.capacity;

/** The size of a deployment that meets a demand. Immutable. */
public final class Sizing {
    /** The utilization at the peak, which tolerates a failed machine and restarts. */
    private static final double UTILIZATION = 0.5;

    private static final int INSTANCE_CORES = 2;
    private static final int CONNECTIONS_PER_INSTANCE = 10;

    /** A common size of database servers. */
    private static final int DATABASE_CORES = 16;

    private static final double DATABASE_BYTES = 4e12;

    /** Used challenges are kept for ten minutes after they expire, and removed in batches of ten minutes. */
    private static final double USED_CHALLENGE_SECONDS = 25 * 60;

    private static final int DAYS_A_YEAR = 365;

    private final Demand demand;

    public Sizing(Demand demand) {
        this.demand = demand;
    }

    /** The instance cores in use at the peak. */
    public double instanceCores() {
        return cores(Costs.LOGIN_IN_INSTANCE, Costs.REGISTRATION_IN_INSTANCE);
    }

    /** The database cores in use at the peak. */
    public double databaseCores() {
        return cores(Costs.LOGIN_IN_DATABASE, Costs.REGISTRATION_IN_DATABASE);
    }

    private double cores(double login, double registration) {
        double checks = demand.peakLogins() * login + demand.peakRegistrations() * registration;
        return checks * demand.checkMicros() / 1e6;
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
        return demand.users() * (Costs.USER_BYTES + demand.passkeysPerUser() * Costs.PASSKEY_BYTES);
    }

    /** The size of sessions and used challenges in bytes. */
    public double transientBytes() {
        return demand.liveSessions() * Costs.SESSION_BYTES
                + demand.peakLogins() * USED_CHALLENGE_SECONDS * Costs.USED_CHALLENGE_BYTES;
    }

    /** The yearly growth of the audit log in bytes, without retention. */
    public double auditBytesPerYear() {
        return (double) (demand.loginsPerDay() + demand.registrationsPerDay()) * DAYS_A_YEAR * Costs.AUDIT_BYTES;
    }

    /** The daily write-ahead log in bytes, which replicas and archives receive. */
    public double walBytesPerDay() {
        return (double) demand.loginsPerDay() * Costs.LOGIN_WAL_BYTES;
    }

    /** The maximum logins per second of one database server. */
    public double loginsPerDatabase() {
        return DATABASE_CORES * UTILIZATION * 1e6 / (Costs.LOGIN_IN_DATABASE * demand.checkMicros());
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
