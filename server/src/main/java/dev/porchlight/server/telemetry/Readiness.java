// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.health.CheckOptions;
import dev.porchlight.observe.health.CheckResult;
import dev.porchlight.observe.health.HealthRegistry;
import dev.porchlight.passkey.store.Sql;
import dev.porchlight.server.audit.AuditLog;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.token.KeyRing;
import java.util.Map;

/**
 * What must be true before requests are sent here: the database takes writes to the tables of this version, the signing key
 * opens, and signatures are judged right.
 */
public final class Readiness {
    /** Writes the version that is there already: a write that fails when writing fails, and changes nothing. */
    private static final String WRITE =
            "UPDATE passkey_schema SET version = version WHERE part IN ('passkey', 'server')";

    private static final long DATABASE_TIMEOUT_MS = 4_000;

    private Readiness() {}

    public static void register(
            HealthRegistry health, Sql sql, KeyRing keys, AuditLog audit, String engine, SignatureProvider signatures) {
        health.register(
                "database",
                () -> sql.update(WRITE) == 2
                        ? CheckResult.up(Map.of("engine", engine))
                        : CheckResult.down("the tables are not all there"),
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
        health.register("audit", () -> CheckResult.up(Map.of("written", audit.written(), "lost", audit.lost())));
    }
}
