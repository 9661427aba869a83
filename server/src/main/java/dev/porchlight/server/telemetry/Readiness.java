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
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.server.storage.Database;
import dev.porchlight.server.storage.ServerTables;
import dev.porchlight.server.token.KeyRing;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What must be true before requests are sent here: the database takes writes to the tables of this version, the signing key
 * opens, the audit log is what it was, and signatures are judged right.
 */
public final class Readiness {
    /**
     * A write that fails when writing fails. It changes its row each time, since SQLite does not write what stays as it is;
     * and it is one row, so that instances which look at the same moment wait for each other shortly and never in a circle.
     */
    public static final String WRITE = "INSERT INTO passkey_schema (part, version) VALUES ('probe', 0)"
            + " ON CONFLICT (part) DO UPDATE SET version = 1 - passkey_schema.version";

    private static final long DATABASE_TIMEOUT_MS = RequestDeadline.LIMIT.toMillis();

    private Readiness() {}

    public static void register(
            Observability observe,
            Database database,
            KeyRing keys,
            AuditLog audit,
            Supplier<Optional<String>> auditFault,
            SignatureProvider signatures) {
        HealthRegistry health = observe.health();
        Sql sql = database.sql();
        String engine = database.url().engine().word();
        health.register(
                "database",
                () -> database(sql, engine),
                CheckOptions.readiness().withTimeoutMs(DATABASE_TIMEOUT_MS));
        health.register(
                "signing_key",
                () -> CheckResult.up(Map.of(
                        "kid",
                        keys.names().isEmpty() ? keys.rotate() : keys.names().get(0))),
                CheckOptions.readiness().withTimeoutMs(DATABASE_TIMEOUT_MS));
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
                .help("Which security provider checks signatures.")
                .labels("provider")
                .read(samples -> samples.sample(1, chosen.name()));
        if (chosen.passedOver() == null) {
            observe.logger().info("signatures are checked by " + chosen.name());
        } else {
            observe.logger()
                    .warn(
                            "signatures are checked by " + chosen.name() + ", which is slow",
                            Fields.of("nativeProvider", chosen.passedOver()));
        }
    }

    private static CheckResult database(Sql sql, String engine) {
        try {
            boolean suit = TableVersion.read(sql, "passkey").supports(Migration.VERSION)
                    && TableVersion.read(sql, "server").supports(ServerTables.VERSION);
            return suit && sql.update(WRITE) == 1
                    ? CheckResult.up(Map.of("engine", engine))
                    : CheckResult.down("the tables are not there, or not for this release");
        } catch (StorageException e) {
            return CheckResult.down(
                    switch (e.fault()) {
                        case FULL -> "there is no room left";
                        case READ_ONLY -> "it takes no writes";
                        case DAMAGED -> "it cannot be read or written: the disk fails, or the data is damaged";
                        case DENIED -> "it does not let this user in, or not write";
                        case UNAVAILABLE -> "it cannot be reached or does not answer";
                    });
        }
    }
}
