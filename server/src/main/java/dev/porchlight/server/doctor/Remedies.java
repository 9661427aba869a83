// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.doctor;

import dev.porchlight.server.config.Fault;
import dev.porchlight.server.config.StorageConfig;
import dev.porchlight.server.config.Variable;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The line of a shell that mends a fault of the configuration. */
final class Remedies {
    private final Map<String, String> environment;

    Remedies(Map<String, String> environment) {
        this.environment = environment;
    }

    String lineFor(Fault fault) {
        return switch (Variable.valueOf(fault.variable())) {
            case SESSION_SECRET ->
                "export SESSION_SECRET=$(openssl rand -hex 32)   # keep it: what is sealed opens with it only";
            case SESSION_SECRET_PREVIOUS ->
                "unset SESSION_SECRET_PREVIOUS   # it is needed only while the secret is rotated";
            case ADMIN_TOKEN -> "export ADMIN_TOKEN=$(openssl rand -hex 32)";
            case RP_ID -> "export RP_ID=" + host();
            case RP_ORIGIN -> "export RP_ORIGIN=https://" + host();
            case DATABASE_URL ->
                "export DATABASE_URL=postgres://USER:PASSWORD@HOST/NAME   # or unset it, for SQLite in DATA_DIR";
            case REDIS_URL -> "export REDIS_URL=redis://:PASSWORD@HOST:6379   # or unset it: the database does without";
            case TRUSTED_PROXIES -> "export TRUSTED_PROXIES=127.0.0.1   # the address your proxy connects from";
            case TLS_CERTIFICATE ->
                "export TLS_CERTIFICATE=fullchain.pem   # the server's certificate first, then those above it";
            case TLS_KEY ->
                "export TLS_KEY=privkey.pem   # from: openssl pkcs8 -topk8 -nocrypt -in OLD -out privkey.pem";
            case DATA_DIR -> "export DATA_DIR=" + beside() + "-data";
            case OTEL_EXPORTER_OTLP_ENDPOINT -> "export OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318";
            default -> "unset " + fault.variable() + "   # it is then " + standard(fault);
        };
    }

    /** The file that is in the way of the data directory, as it was written if it is the directory itself. */
    private String beside() {
        String written = environment.getOrDefault(Variable.DATA_DIR.name(), "./data");
        Path path = Path.of(written);
        return Files.exists(path)
                ? written
                : StorageConfig.nearestExisting(path).toString();
    }

    private static String standard(Fault fault) {
        return Variable.valueOf(fault.variable()).standard();
    }

    /** The host of the pages as far as it can be made out, for it is also an rpId that fits. */
    private String host() {
        String origin = environment.getOrDefault(Variable.RP_ORIGIN.name(), "").strip();
        try {
            String host = URI.create(origin).getHost();
            return host == null ? rpId() : host;
        } catch (IllegalArgumentException notAnAddress) {
            return rpId();
        }
    }

    private String rpId() {
        String rpId = environment.getOrDefault(Variable.RP_ID.name(), "").strip();
        return rpId.isEmpty() ? "localhost" : rpId;
    }
}
