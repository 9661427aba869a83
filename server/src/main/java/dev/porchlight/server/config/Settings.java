// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static dev.porchlight.server.config.Setting.choice;
import static dev.porchlight.server.config.Setting.duration;
import static dev.porchlight.server.config.Setting.either;
import static dev.porchlight.server.config.Setting.integer;
import static dev.porchlight.server.config.Setting.parsed;
import static java.time.temporal.ChronoUnit.MILLIS;
import static java.time.temporal.ChronoUnit.SECONDS;

import dev.porchlight.observe.log.Thresholds;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.Texts;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.server.limit.ClientAddresses;
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.server.storage.DataDirectory;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.storage.RedisUrl;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Every setting of the service. A new one needs a constant here, a row in docs/reference/configuration.md and code that uses it. */
public final class Settings {
    public static final int DEFAULT_PORT = 8080;
    public static final int LAST_PORT = 65_535;
    public static final String DEFAULT_DATA_DIR = "./data";
    private static final int HOUR_MS = 3_600_000;
    private static final int DAY = 86_400;
    private static final List<Setting<?>> ALL = new ArrayList<>();

    /** What a sign-in returns. */
    public enum LoginResult {
        TOKEN,
        SESSION,
        BOTH;

        public boolean token() {
            return this != SESSION;
        }

        public boolean session() {
            return this != TOKEN;
        }
    }

    public static final Setting<Integer> PORT =
            add(integer("PORT", "port to listen on; 0 selects a free port", DEFAULT_PORT, 0, LAST_PORT));
    public static final Setting<String> HOST = add(parsed("HOST", "address to listen on", Parsers::host)
            .withDefault(
                    "127.0.0.1, or 0.0.0.0 when K_SERVICE is set",
                    reader -> reader.get(Settings.K_SERVICE).isPresent() ? "0.0.0.0" : "127.0.0.1"));
    public static final Setting<Optional<Integer>> MANAGEMENT_PORT = add(integer(
                    "MANAGEMENT_PORT",
                    "port of /metrics, /health/*, /admin/* and the console, which are then served only there",
                    0,
                    0,
                    LAST_PORT)
            .optional("PORT"));
    public static final Setting<String> RP_NAME = add(parsed(
                    "RP_NAME",
                    "name of the relying party, which browsers may display",
                    text -> Texts.require("the name", text))
            .withDefault(Parsers.DEFAULTS.rpName()));
    public static final Setting<Optional<LogoFile>> RP_LOGO =
            add(parsed("RP_LOGO", "logo on the pages: an SVG or PNG file of at most 128 KiB", LogoFile::read)
                    .optional("the Porchlight logo"));
    public static final Setting<Optional<Color>> RP_COLOR =
            add(parsed("RP_COLOR", "accent color of the pages, such as #0f62fe", Color::parse)
                    .optional("the Porchlight colors"));
    public static final Setting<String> RP_ID = add(parsed(
                    "RP_ID",
                    "domain that passkeys are bound to: the host of RP_ORIGIN or a registrable parent of it, not a public"
                            + " suffix such as co.uk",
                    Parsers::rpId)
            .withDefault(Parsers.DEFAULTS.rpId())
            .withFix(reader -> "export RP_ID=" + reader.host()));
    public static final Setting<Optional<String>> RP_ORIGIN = add(
            parsed("RP_ORIGIN", "origin of the pages as browsers send it, such as https://example.com", Parsers::origin)
                    .optional("")
                    .withDefault("http://localhost:PORT, or https with TLS_CERTIFICATE", ConfigReader::localOrigin)
                    .withFix(reader -> "export RP_ORIGIN=https://" + reader.host()));
    public static final Setting<Set<String>> RP_RELATED_ORIGINS = add(parsed(
            "RP_RELATED_ORIGINS",
            "further accepted origins, comma-separated: web origins, whose pages may also call /auth/*, and"
                    + " android:apk-key-hash:…",
            Parsers::relatedOrigins));
    public static final Setting<List<AndroidApp>> ANDROID_APPS = add(parsed(
            "ANDROID_APPS",
            "Android apps that may use the passkeys, comma-separated PACKAGE=SHA256_FINGERPRINT; their origins are accepted",
            AndroidApp::parseList));
    public static final Setting<List<String>> IOS_APPS = add(parsed(
            "IOS_APPS", "iOS apps that may use the passkeys, comma-separated TEAMID.BUNDLE_ID", Parsers::iosApps));
    public static final Setting<ReturnUrls> RETURN_URLS = add(parsed(
            "RETURN_URLS",
            "where the sign-in page may send users back to (return_to), comma-separated: URLs such as"
                    + " https://app.example.com/, which include everything below; paths of the page's own origin are"
                    + " always allowed",
            ReturnUrls::parse));
    public static final Setting<DatabaseUrl> DATABASE_URL = add(parsed(
                    "DATABASE_URL",
                    "jdbc:sqlite:FILE, jdbc:postgresql://HOST/NAME or postgres://USER:PASSWORD@HOST/NAME",
                    DatabaseUrl::parse)
            .withDefault("an SQLite file in DATA_DIR", ConfigReader::databaseInDataDir)
            .withFix(reader ->
                    "export DATABASE_URL=postgres://USER:PASSWORD@HOST/NAME   # or unset it, for SQLite in DATA_DIR"));
    public static final Setting<Integer> DATABASE_CONNECTIONS =
            add(integer("DATABASE_CONNECTIONS", "size of the PostgreSQL connection pool", 10, 1, 500));
    public static final Setting<Duration> REQUEST_TIMEOUT_MS = add(duration(
            "REQUEST_TIMEOUT_MS",
            "how long a request may wait for the database before it is refused with 503",
            MILLIS,
            RequestDeadline.DEFAULT.toMillis(),
            1_000,
            60_000));
    public static final Setting<Optional<RedisUrl>> REDIS_URL = add(parsed(
                    "REDIS_URL",
                    "rate limits shared by all instances, and nothing else: redis://USER:PASSWORD@HOST:PORT/DATABASE,"
                            + " rediss:// for TLS, redis+cluster://HOST,HOST or redis+sentinel://HOST,HOST/NAME",
                    RedisUrl::parse)
            .optional("each instance counts its own rate limits")
            .withFix(reader ->
                    "export REDIS_URL=redis://:PASSWORD@HOST:6379   # or unset it, for rate limits per instance"));
    public static final Setting<Path> DATA_DIR =
            add(parsed("DATA_DIR", "directory for the embedded database and the generated secret", Path::of)
                    .withDefault(DEFAULT_DATA_DIR)
                    .withFix(reader -> "export DATA_DIR=" + DataDirectory.nearestExisting(reader.get(Settings.DATA_DIR))
                            + "-data"));
    public static final Setting<Optional<String>> SESSION_SECRET = add(
            parsed(
                            "SESSION_SECRET",
                            "secret that seals sessions, challenges and signing keys: at least " + Parsers.SECRET_BYTES
                                    + " bytes and " + Parsers.DISTINCT
                                    + " different characters; no example outside localhost mode",
                            Parsers::sessionSecret)
                    .optional("")
                    .withDefault("generated in DATA_DIR when RP_ID is localhost, otherwise required", reader -> "")
                    .asSecret()
                    .withFix(
                            reader ->
                                    "export SESSION_SECRET=$(openssl rand -hex 32)   # keep it: sealed data cannot be opened without it"));
    public static final Setting<Optional<String>> SESSION_SECRET_PREVIOUS = add(parsed(
                    "SESSION_SECRET_PREVIOUS",
                    "the previous SESSION_SECRET, accepted during a rotation",
                    Parsers::previousSecret)
            .optional("")
            .asSecret()
            .withFix(reader -> "unset SESSION_SECRET_PREVIOUS   # needed only during a rotation"));
    public static final Setting<Optional<String>> ADMIN_TOKEN = add(parsed(
                    "ADMIN_TOKEN",
                    "bearer token for /admin/* and the console: at least " + Parsers.TOKEN_CHARACTERS + " characters, "
                            + Parsers.DISTINCT + " of them different; no example outside localhost mode",
                    Parsers::adminToken)
            .optional("/admin/* and the console are available on loopback when RP_ID is localhost, otherwise disabled")
            .asSecret()
            .withFix(reader -> "export ADMIN_TOKEN=$(openssl rand -hex 32)"));
    public static final Setting<Boolean> SIGNUP = add(either(
                    "SIGNUP", "whether anyone may create an account", "open", "closed")
            .withDefault(
                    "open when RP_ID is localhost, otherwise closed", reader -> reader.local() ? "open" : "closed"));
    public static final Setting<LoginResult> LOGIN_RESULT =
            add(choice("LOGIN_RESULT", "what a sign-in returns", LoginResult.BOTH));
    public static final Setting<Duration> TOKEN_TTL_SECONDS =
            add(duration("TOKEN_TTL_SECONDS", "lifetime of tokens", SECONDS, 900, 1, DAY));
    public static final Setting<Duration> SESSION_TTL_SECONDS =
            add(duration("SESSION_TTL_SECONDS", "lifetime of sessions", SECONDS, DAY / 2, 1, 400 * DAY));
    public static final Setting<Duration> RECENT_LOGIN_SECONDS = add(duration(
            "RECENT_LOGIN_SECONDS",
            "maximum age of the sign-in for adding or removing a passkey",
            SECONDS,
            300,
            1,
            DAY));
    public static final Setting<Duration> CHALLENGE_TTL_MS = add(duration(
            "CHALLENGE_TTL_MS",
            "lifetime of challenges, and the timeout in the options",
            MILLIS,
            PasskeyConfig.DEFAULT_CHALLENGE_TTL.toMillis(),
            1_000,
            (int) PasskeyConfig.MAX_CHALLENGE_TTL.toMillis()));
    public static final Setting<UserVerification> USER_VERIFICATION = add(choice(
            "USER_VERIFICATION", "whether a PIN or biometrics are required", PasskeyConfig.DEFAULT_USER_VERIFICATION));
    public static final Setting<Boolean> ATTESTATION =
            add(either("ATTESTATION", "direct requests attestation and verifies it", "direct", "none")
                    .withDefault("none"));
    public static final Setting<List<CredentialAlgorithm>> ALGORITHMS = add(parsed(
                    "ALGORITHMS",
                    "algorithms of new passkeys in order of preference: ES256, or ES256,RS256 for Windows Hello machines"
                            + " that only create RSA keys",
                    Parsers::algorithms)
            .withDefault("ES256"));
    public static final Setting<SignCountPolicy> SIGN_COUNT_POLICY = add(choice(
            "SIGN_COUNT_POLICY",
            "what to do when a sign count does not grow; auto rejects device-bound passkeys and flags synced ones",
            PasskeyConfig.DEFAULT_SIGN_COUNT_POLICY));
    public static final Setting<Integer> MAX_PASSKEYS_PER_USER = add(integer(
            "MAX_PASSKEYS_PER_USER",
            "maximum number of passkeys per user",
            PasskeyConfig.DEFAULT_MAX_PASSKEYS_PER_USER,
            1,
            1_000));
    public static final Setting<Integer> RATE_LIMIT_PER_MINUTE = add(integer(
            "RATE_LIMIT_PER_MINUTE",
            "ceremonies per minute and client address; 0 disables rate limits",
            120,
            0,
            1_000_000));
    public static final Setting<Integer> AUDIT_RETENTION_DAYS = add(integer(
            "AUDIT_RETENTION_DAYS",
            "age in days at which audit rows are removed, leaving a signed checkpoint; 0 keeps them",
            0,
            0,
            36_500));
    public static final Setting<ClientAddresses> TRUSTED_PROXIES = add(parsed(
                    "TRUSTED_PROXIES",
                    "comma-separated addresses and CIDR blocks whose X-Forwarded-For and X-Forwarded-Proto are trusted",
                    text -> new ClientAddresses(Parsers.list(text)))
            .withFix(reader -> "export TRUSTED_PROXIES=127.0.0.1   # the address your proxy connects from"));
    public static final Setting<Optional<PemFile<List<Certificate>>>> TLS_CERTIFICATE = add(parsed(
                    "TLS_CERTIFICATE",
                    "PEM file with the certificate chain; reloaded when it changes",
                    PemFile::certificates)
            .optional("plain HTTP")
            .withFix(reader ->
                    "export TLS_CERTIFICATE=fullchain.pem   # the server's certificate first, then its issuers"));
    public static final Setting<Optional<PemFile<PrivateKey>>> TLS_KEY = add(parsed(
                    "TLS_KEY", "PEM file (PKCS #8) with the certificate's private key", PemFile::key)
            .optional("")
            .withFix(reader ->
                    "export TLS_KEY=privkey.pem   # from: openssl pkcs8 -topk8 -nocrypt -in OLD -out privkey.pem"));
    public static final Setting<Integer> MAX_BODY_BYTES =
            add(integer("MAX_BODY_BYTES", "largest request body", 65_536, 1_024, 16 * 1_024 * 1_024));
    public static final Setting<Duration> SVC_READINESS_DELAY_MS = add(
            duration("SVC_READINESS_DELAY_MS", "how long readiness stays false after startup", MILLIS, 0, 0, HOUR_MS));
    public static final Setting<Duration> SHUTDOWN_DELAY_MS = add(duration(
                    "SHUTDOWN_DELAY_MS",
                    "how long to keep accepting requests after readiness turns false",
                    MILLIS,
                    0,
                    0,
                    HOUR_MS)
            .withDefault(
                    "0 on a loopback address, otherwise 3000",
                    reader -> Config.isLoopback(reader.get(HOST)) ? "0" : "3000"));
    public static final Setting<Duration> SHUTDOWN_TIMEOUT_MS = add(
            duration("SHUTDOWN_TIMEOUT_MS", "how long to wait for requests in progress", MILLIS, 10_000, 0, HOUR_MS));
    public static final Setting<Thresholds> LOG_LEVEL = add(parsed(
                    "LOG_LEVEL",
                    "trace, debug, info, warn, error or fatal; also per logger, as in info,org.eclipse.jetty=debug",
                    Parsers::logLevels)
            .withDefault("info"));
    public static final Setting<Optional<String>> K_SERVICE =
            add(text("K_SERVICE", "set by Cloud Run: switches the log format to Google Cloud"));
    public static final Setting<Optional<String>> GOOGLE_CLOUD_PROJECT =
            add(text("GOOGLE_CLOUD_PROJECT", "project of the trace ids in log lines"));
    public static final Setting<Optional<String>> OTEL_SERVICE_NAME =
            add(text("OTEL_SERVICE_NAME", "name of this service in traces")
                    .withDefault("K_SERVICE, or porchlight", ConfigReader::serviceName));
    public static final Setting<Optional<String>> OTEL_EXPORTER_OTLP_ENDPOINT = add(parsed(
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    "base URL of the collector, such as http://localhost:4318",
                    Parsers::webAddress)
            .optional("no traces are sent")
            .withFix(reader -> "export OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:4318"));
    public static final Setting<Optional<String>> OTEL_EXPORTER_OTLP_PROTOCOL = add(
            text("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf or http/json").withDefault("http/protobuf"));
    public static final Setting<Optional<String>> OTEL_EXPORTER_OTLP_HEADERS =
            add(text("OTEL_EXPORTER_OTLP_HEADERS", "headers for the collector, as name=value,name=value")
                    .asSecret());
    public static final Setting<Optional<String>> OTEL_TRACES_SAMPLER =
            add(text("OTEL_TRACES_SAMPLER", "sampler for traces").withDefault("parentbased_always_on"));
    public static final Setting<Optional<String>> OTEL_TRACES_SAMPLER_ARG =
            add(text("OTEL_TRACES_SAMPLER_ARG", "ratio of recorded traces, for the ratio samplers")
                    .withDefault("1.0"));
    public static final Setting<Optional<String>> OTEL_RESOURCE_ATTRIBUTES =
            add(text("OTEL_RESOURCE_ATTRIBUTES", "attributes of this service in traces, as name=value,name=value"));
    public static final Setting<Optional<String>> OTEL_SDK_DISABLED =
            add(text("OTEL_SDK_DISABLED", "true disables tracing").withDefault("false"));

    private Settings() {}

    /** All settings, in the order of the documentation. */
    public static List<Setting<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    private static Setting<Optional<String>> text(String name, String purpose) {
        return parsed(name, purpose, text -> text).optional("");
    }

    private static <T> Setting<T> add(Setting<T> setting) {
        ALL.add(setting);
        return setting;
    }
}
