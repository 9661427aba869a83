// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.TableVersion;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.health.CheckOptions;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.health.HealthRegistry;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ServerTables;
import dev.porchlight.server.token.KeyRing;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Readiness checks: the database accepts writes to the tables of this version, the signing key can be opened, the audit log
 * is intact, and signature verification passes its self-test.
 */
public final class Readiness {
    /**
     * A write that fails whenever writes fail. It changes its row each time, because SQLite skips unchanged values. All instances
     * use one row, so concurrent checks wait briefly for each other and cannot deadlock.
     */
    public static final String WRITE = "INSERT INTO porchlight_probe (probe_id, writes) VALUES (1, 1)"
            + " ON CONFLICT (probe_id) DO UPDATE SET writes = porchlight_probe.writes + 1";

    private Readiness() {}

    public static void register(
            Observability observe,
            Database database,
            KeyRing keys,
            AuditLog audit,
            Supplier<Optional<String>> auditFault,
            SignatureProvider signatures) {
        long timeoutMs = database.timeout().toMillis();
        HealthRegistry health = observe.health();
        Sql sql = database.sql();
        String engine = database.url().engine().otelName();
        health.register(
                "database",
                () -> database(sql, engine),
                CheckOptions.readiness().withTimeoutMs(timeoutMs));
        health.register(
                "signing_key",
                () -> CheckResult.up(Map.of("kid", keys.signingKeyId())),
                CheckOptions.readiness().withTimeoutMs(timeoutMs));
        health.register(
                "crypto",
                () -> signatures.fault() == null
                        ? CheckResult.up(Map.of("provider", signatures.name()))
                        : CheckResult.down(signatures.fault()));
        report(signatures, observe);
        health.register(
                "audit",
                () -> auditFault
                        .get()
                        .map(CheckResult::down)
                        .orElseGet(() -> CheckResult.up(Map.of("written", audit.written(), "lost", audit.lost()))));
    }

    private static void report(SignatureProvider chosen, Observability observe) {
        observe.metrics()
                .gauge("crypto_provider_info")
                .help("The security provider that verifies signatures.")
                .labels("provider")
                .read(samples -> samples.sample(1, chosen.name()));
        if (chosen.nativeFault() == null) {
            observe.logger().info("verifying signatures with " + chosen.name());
        } else {
            observe.logger()
                    .warn(
                            "verifying signatures with " + chosen.name() + " (slow; native provider unavailable)",
                            Fields.of("nativeProvider", chosen.nativeFault()));
        }
    }

    private static CheckResult database(Sql sql, String engine) {
        try {
            boolean suit = TableVersion.read(sql, "passkey").supports(Migration.VERSION)
                    && TableVersion.read(sql, "server").supports(ServerTables.VERSION);
            return suit && sql.update(WRITE) == 1
                    ? CheckResult.up(Map.of("engine", engine))
                    : CheckResult.down("the tables are missing or belong to another release");
        } catch (StorageException e) {
            return CheckResult.down(
                    switch (e.fault()) {
                        case FULL -> "the disk is full";
                        case READ_ONLY -> "the database is read-only";
                        case DAMAGED -> "the database is damaged, or its disk fails";
                        case DENIED -> "access or write permission denied";
                        case UNAVAILABLE -> "the database is unreachable or does not respond";
                    });
        }
    }
}
