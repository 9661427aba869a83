// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

/** The environment variables, named as they are set. */
public enum Variable {
    PORT("8080", "port to listen on; 0 takes a free one"),
    HOST("127.0.0.1, or 0.0.0.0 when K_SERVICE is set", "address to listen on"),
    MANAGEMENT_PORT(
            "unset",
            "port of /metrics, /health/*, /admin/* and the console, which are then served only there; unset: PORT"),
    RP_NAME("Porchlight", "name of the relying party, which browsers may show"),
    RP_ID(
            "localhost",
            "domain that passkeys are made for: the host of RP_ORIGIN or a registrable parent of it, not a public suffix such as co.uk"),
    RP_ORIGIN(
            "http://localhost:PORT, or https with TLS_CERTIFICATE",
            "where the pages are, exactly as browsers write it, such as https://example.com"),
    RP_RELATED_ORIGINS(
            "unset",
            "further origins that are accepted, parted by commas: web origins, whose pages may call /auth/* too, and"
                    + " android:apk-key-hash:…"),
    DATABASE_URL(
            "an SQLite file in DATA_DIR",
            "jdbc:sqlite:FILE, jdbc:postgresql://HOST/NAME or postgres://USER:PASSWORD@HOST/NAME"),
    DATABASE_CONNECTIONS("10", "size of the pool of connections to PostgreSQL"),
    REDIS_URL(
            "unset: sessions and used challenges are in the database, rate limits are counted by each instance",
            "redis://USER:PASSWORD@HOST:PORT/DATABASE, rediss:// for TLS, redis+cluster://HOST,HOST or"
                    + " redis+sentinel://HOST,HOST/NAME"),
    DATA_DIR("./data", "directory of the embedded database and of the generated secret"),
    SESSION_SECRET(
            "generated into DATA_DIR when RP_ID is localhost, otherwise required",
            "secret of at least 32 bytes and 8 different characters that sessions, challenges and signing keys are sealed under"),
    SESSION_SECRET_PREVIOUS("unset", "another secret that is accepted while SESSION_SECRET is rotated"),
    ADMIN_TOKEN(
            "unset: /admin/* and the console answer on loopback when RP_ID is localhost, otherwise never",
            "bearer token for /admin/* and the console, at least 16 characters, 8 of them different"),
    SIGNUP(
            "open when RP_ID is localhost, otherwise closed",
            "whether anybody may create a first passkey: open or closed"),
    LOGIN_RESULT("both", "what a login yields: token, session or both"),
    TOKEN_TTL_SECONDS("900", "lifetime of tokens"),
    SESSION_TTL_SECONDS("43200", "lifetime of sessions"),
    RECENT_LOGIN_SECONDS("300", "how old a sign-in may be to add or remove a passkey"),
    CHALLENGE_TTL_MS("300000", "lifetime of challenges, and the timeout in the options"),
    USER_VERIFICATION("preferred", "required, preferred or discouraged"),
    ATTESTATION("none", "none, or direct to ask for attestation and verify it"),
    SIGN_COUNT_POLICY(
            "auto",
            "what to do when a sign count does not grow: reject, flag, or auto (reject device-bound passkeys, flag synced ones)"),
    MAX_PASSKEYS_PER_USER("20", "how many passkeys a user may have"),
    RATE_LIMIT_PER_MINUTE("120", "ceremonies a minute per client address; 0 turns the limits off"),
    AUDIT_RETENTION_DAYS("0", "age in days at which audit rows are removed, leaving a signed checkpoint; 0 keeps them"),
    TRUSTED_PROXIES("unset", "addresses and blocks whose X-Forwarded-For and -Proto count, parted by commas"),
    TLS_CERTIFICATE("unset: plain HTTP", "file with the certificate chain, in PEM; read again when it changes"),
    TLS_KEY("unset", "file with the certificate's private key, in PEM (PKCS #8)"),
    CANARY_SECONDS(
            "unset: no canary",
            "seconds from one round of the canary to the next, 1 to 180: it registers, signs in and must be refused,"
                    + " as a user of its own"),
    MAX_BODY_BYTES("65536", "largest request body"),
    SVC_READINESS_DELAY_MS("0", "how long readiness stays down after the start"),
    SHUTDOWN_DELAY_MS(
            "0 on a loopback address, otherwise 3000", "how long requests are still taken after readiness went down"),
    SHUTDOWN_TIMEOUT_MS("10000", "how long requests under way may take to end"),
    LOG_LEVEL("info", "trace, debug, info, warn, error or fatal; also per logger, as info,org.eclipse.jetty=debug"),
    K_SERVICE("unset", "set by Cloud Run: logs in the format of Google Cloud"),
    GOOGLE_CLOUD_PROJECT("unset", "project that traces in the logs belong to"),
    OTEL_SERVICE_NAME("K_SERVICE, or porchlight", "name of this service in traces"),
    OTEL_EXPORTER_OTLP_ENDPOINT(
            "unset: no traces are sent", "base address of the collector, such as http://localhost:4318"),
    OTEL_EXPORTER_OTLP_PROTOCOL("http/protobuf", "http/protobuf or http/json"),
    OTEL_EXPORTER_OTLP_HEADERS("unset", "headers for the collector, as name=value,name=value"),
    OTEL_TRACES_SAMPLER("parentbased_always_on", "which traces are recorded"),
    OTEL_TRACES_SAMPLER_ARG("1.0", "share of traces, for the ratio samplers"),
    OTEL_RESOURCE_ATTRIBUTES("unset", "attributes of this service in traces, as name=value,name=value"),
    OTEL_SDK_DISABLED("false", "true turns tracing off");

    private static final String HIDDEN = "********";

    private final String standard;
    private final String meaning;

    Variable(String standard, String meaning) {
        this.standard = standard;
        this.meaning = meaning;
    }

    /** The default, in words. */
    public String standard() {
        return standard;
    }

    public String meaning() {
        return meaning;
    }

    /** A value as it may be shown: without secrets. */
    public String shown(String value) {
        return switch (this) {
            case SESSION_SECRET, SESSION_SECRET_PREVIOUS, ADMIN_TOKEN, OTEL_EXPORTER_OTLP_HEADERS -> "set";
            case REDIS_URL -> value.replaceAll("(?s)://.*@", "://" + HIDDEN + "@");
            default ->
                value.replaceAll("(://[^:/@]*:).*@", "$1" + HIDDEN + "@")
                        .replaceAll("(?i)(password=)[^&]*", "$1" + HIDDEN);
        };
    }
}
