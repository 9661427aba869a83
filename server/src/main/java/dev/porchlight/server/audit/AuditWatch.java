// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.audit;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.MetricRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares the audit log with its anchors, advances the anchors, and logs the heads regularly. While faults are found, the
 * anchors stay, so that the faults are found again until an operator accepts the log. Thread-safe.
 */
public final class AuditWatch {
    private static final long LOG_EVERY_NANOS = Duration.ofMinutes(10).toNanos();

    private final AuditGuard guard;
    private final Logger logger;
    private final LongSupplier nanoTime;
    private volatile List<String> faults = List.of();
    /** Whether the first comparison found no faults; null before it. */
    private volatile @Nullable Boolean validAtStart;

    private String loggedHead = "";
    private long loggedAt;

    public AuditWatch(AuditGuard guard, Logger logger, LongSupplier nanoTime) {
        this.guard = guard;
        this.logger = logger;
        this.nanoTime = nanoTime;
        if (!guard.hasAnchorOutside()) {
            logger.warn("only the database itself records the state of its audit log, so a rollback would go unnoticed:"
                    + " create DATA_DIR, or archive the audit heads in these log lines");
        }
    }

    public void register(MetricRegistry metrics, AuditLog audit) {
        metrics.gauge("audit_log_faults")
                .help("Faults found in the audit log: it was truncated, wiped or replaced.")
                .read(() -> faults.size());
        metrics.counter("audit_rows_total")
                .help("Audit events, by result: written as a row, aggregated with others, or lost.")
                .labels("result")
                .read(samples -> {
                    samples.sample((double) audit.written(), "written");
                    samples.sample((double) audit.aggregated(), "aggregated");
                    samples.sample((double) audit.lost(), "lost");
                });
    }

    /** Compares the log with its anchors, and advances the anchors if no fault is found. */
    public synchronized void run(boolean logHead) {
        try {
            List<String> found = guard.faults();
            if (!found.isEmpty() && !found.equals(faults)) {
                logger.error(
                        "the audit log was tampered with or replaced", Fields.of("faults", String.join("; ", found)));
            }
            faults = found;
            if (validAtStart == null || found.isEmpty()) {
                validAtStart = found.isEmpty();
            }
            if (found.isEmpty()) {
                guard.anchor().ifPresent(head -> log(head, logHead));
            }
        } catch (StorageException e) {
            // readiness reports the database; the next run compares again
        }
    }

    /** Returns why this instance is not ready: faults were found at startup and remain. */
    public Optional<String> notReady() {
        List<String> found = faults;
        return Boolean.FALSE.equals(validAtStart) && !found.isEmpty() ? Optional.of(found.get(0)) : Optional.empty();
    }

    private void log(String head, boolean now) {
        long time = nanoTime.getAsLong();
        if (!head.equals(loggedHead) && (now || loggedHead.isEmpty() || time - loggedAt >= LOG_EVERY_NANOS)) {
            logger.info("audit log head", Fields.of("head", head));
            loggedHead = head;
            loggedAt = time;
        }
    }
}
