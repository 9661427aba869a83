// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.metrics.MetricRegistry;
import dev.porchlight.server.audit.AuditGuard;
import dev.porchlight.server.audit.AuditLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares the audit log with its anchors, moves the anchors on, and writes heads to the log regularly. Anchors of a log that
 * is at fault stay, so that the fault is found again, until an operator accepts the log. Thread-safe.
 */
final class AuditWatch {
    private static final long LOG_EVERY_NANOS = Duration.ofMinutes(10).toNanos();

    private final AuditGuard guard;
    private final Logger logger;
    private final LongSupplier nanoTime;
    private volatile List<String> faults = List.of();
    /** Whether the log was in order when it was first compared; null before that. */
    private volatile @Nullable Boolean soundAtStart;

    private String loggedHead = "";
    private long loggedAt;

    AuditWatch(AuditGuard guard, Logger logger, LongSupplier nanoTime) {
        this.guard = guard;
        this.logger = logger;
        this.nanoTime = nanoTime;
        if (!guard.hasAnchorOutside()) {
            logger.warn("nothing outside of the database tells whether its audit log was replaced by an older one:"
                    + " create DATA_DIR, set REDIS_URL, or keep the heads that this log shows");
        }
    }

    void register(MetricRegistry metrics, AuditLog audit) {
        metrics.gauge("audit_log_faults")
                .help("Faults that the anchors of the audit log find: it was wiped or replaced.")
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

    /** Compares, and moves the anchors on if nothing is wrong. */
    synchronized void run(boolean logHead) {
        try {
            List<String> found = guard.faults();
            if (!found.isEmpty() && !found.equals(faults)) {
                logger.error("the audit log is not what it was", Fields.of("faults", String.join("; ", found)));
            }
            faults = found;
            if (soundAtStart == null || found.isEmpty()) {
                soundAtStart = found.isEmpty();
            }
            if (found.isEmpty()) {
                guard.anchor().ifPresent(head -> log(head, logHead));
            }
        } catch (StorageException e) {
            // readiness reports the database, and the next run compares
        }
    }

    /** Why this instance is not ready: the log was not what it was when the instance started, and still is not. */
    Optional<String> notReady() {
        List<String> found = faults;
        return Boolean.FALSE.equals(soundAtStart) && !found.isEmpty() ? Optional.of(found.get(0)) : Optional.empty();
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
