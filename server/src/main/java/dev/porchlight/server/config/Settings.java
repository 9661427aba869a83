// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static dev.porchlight.server.config.Setting.choice;
import static dev.porchlight.server.config.Setting.duration;
import static dev.porchlight.server.config.Setting.either;
import static dev.porchlight.server.config.Setting.integer;
import static dev.porchlight.server.config.Setting.parsed;
import static java.time.temporal.ChronoUnit.HOURS;
import static java.time.temporal.ChronoUnit.MILLIS;
import static java.time.temporal.ChronoUnit.SECONDS;

import dev.porchlight.observe.log.Thresholds;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Extensions;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.SignCountPolicy;
import dev.porchlight.passkey.Texts;
import dev.porchlight.passkey.UserVerification;
import dev.porchlight.passkey.metadata.AuthenticatorPolicy;
import dev.porchlight.passkey.metadata.MetadataTrust;
import dev.porchlight.server.limit.ClientAddresses;
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.server.mail.SmtpUrl;
import dev.porchlight.server.people.ProfileMember;
import dev.porchlight.server.storage.DataDirectory;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.storage.RedisUrl;
import java.net.URI;
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

    public static final Setting<Integer> PORT =
            add(integer("PORT", DEFAULT_PORT, 0, LAST_PORT).purpose("port to listen on; 0 selects a free port"));
    public static final Setting<String> HOST = add(parsed("HOST", Parsers::host)
            .purpose("address to listen on")
            .withDefault(
                    "127.0.0.1, or 0.0.0.0 when K_SERVICE is set",
                    reader -> reader.get(Settings.K_SERVICE).isPresent() ? "0.0.0.0" : "127.0.0.1"));
    public static final Setting<Optional<Integer>> MANAGEMENT_PORT = add(integer("MANAGEMENT_PORT", 0, 0, LAST_PORT)
            .purpose("port of /metrics, /health/*, /admin/* and the console, which are then served only there")
            .optional("PORT"));
    public static final Setting<String> RP_NAME = add(parsed("RP_NAME", text -> Texts.require("the name", text))
            .purpose("name of the relying party, which browsers may display")
            .withDefault(Parsers.DEFAULTS.rpName()));
    public static final Setting<Optional<LogoFile>> RP_LOGO = add(parsed("RP_LOGO", LogoFile::read)
            .purpose("logo on the pages: an SVG or PNG file of at most 128 KiB")
            .optional("the Porchlight logo"));
    public static final Setting<Optional<Color>> RP_COLOR = add(parsed("RP_COLOR", Color::parse)
            .purpose("accent color of the pages, such as #0f62fe")
            .optional("the Porchlight colors"));
    public static final Setting<Optional<TextFiles>> TEXTS_DIR = add(parsed("TEXTS_DIR", TextFiles::read)
            .purpose("directory with further languages and own sentences for the pages, in files such as nl.json")
            .optional("the shipped languages"));
    public static final Setting<Optional<String>> SUPPORT_URL = add(parsed("SUPPORT_URL", Parsers::contact)
            .purpose("support contact on the pages: an https, mailto or tel URL")
            .optional("no link"));
    public static final Setting<Optional<String>> PRIVACY_URL = add(parsed("PRIVACY_URL", Parsers::page)
            .purpose("privacy notice that the pages link to: an https URL")
            .optional("no link"));
    public static final Setting<Optional<SmtpUrl>> SMTP_URL = add(parsed("SMTP_URL", SmtpUrl::parse)
            .purpose("mail server for invitations and notices: smtp://USER:PASSWORD@HOST:PORT, which requires STARTTLS"
                    + " unless the host is this machine, or smtps:// for TLS from the start")
            .optional("no mail is sent")
            .withFix("export SMTP_URL=smtp://USER:PASSWORD@HOST:587   # or unset it, for no mail"));
    public static final Setting<Optional<String>> MAIL_FROM = add(parsed("MAIL_FROM", ProfileMember::requireEmail)
            .purpose("address that mails are sent from; required with SMTP_URL")
            .optional("")
            .withFix("export MAIL_FROM=accounts@example.com   # an address that the mail server accepts"));
    public static final Setting<String> RP_ID = add(parsed("RP_ID", Parsers::rpId)
            .purpose(
                    "domain that passkeys are bound to: the host of RP_ORIGIN or a registrable parent of it, not a public"
                            + " suffix such as co.uk")
            .withDefault(Parsers.DEFAULTS.rpId())
            .withFix(reader -> "export RP_ID=" + reader.host()));
    public static final Setting<Optional<String>> RP_ORIGIN = add(parsed("RP_ORIGIN", Parsers::origin)
            .purpose("origin of the pages as browsers send it, such as https://example.com")
            .optional("")
            .withDefault("http://localhost:PORT, or https with TLS_CERTIFICATE", ConfigReader::localOrigin)
            .withFix(reader -> "export RP_ORIGIN=https://" + reader.host()));
    public static final Setting<Set<String>> RP_RELATED_ORIGINS = add(parsed(
                    "RP_RELATED_ORIGINS", Parsers::relatedOrigins)
            .purpose("further accepted origins, comma-separated: web origins, whose pages may also call /auth/*, and"
                    + " android:apk-key-hash:…"));
    public static final Setting<Set<String>> RP_TOP_ORIGINS = add(parsed("RP_TOP_ORIGINS", Parsers::topOrigins)
            .purpose("origins of pages that may embed the accepted origins in a frame and use passkeys there,"
                    + " comma-separated"));
    public static final Setting<List<AndroidApp>> ANDROID_APPS = add(
            parsed("ANDROID_APPS", AndroidApp::parseList)
                    .purpose(
                            "Android apps that may use the passkeys, comma-separated PACKAGE=SHA256_FINGERPRINT; their origins are accepted"));
    public static final Setting<List<String>> IOS_APPS = add(parsed("IOS_APPS", Parsers::iosApps)
            .purpose("iOS apps that may use the passkeys, comma-separated TEAMID.BUNDLE_ID"));
    public static final Setting<ReturnUrls> RETURN_URLS = add(parsed("RETURN_URLS", ReturnUrls::parse)
            .purpose("where the sign-in page may send users back to (return_to), comma-separated: URLs such as"
                    + " https://app.example.com/, which include everything below; paths of the page's own origin are"
                    + " always allowed"));
    public static final Setting<DatabaseUrl> DATABASE_URL = add(parsed("DATABASE_URL", DatabaseUrl::parse)
            .purpose("jdbc:sqlite:FILE, jdbc:postgresql://HOST/NAME or postgres://USER:PASSWORD@HOST/NAME; no"
                    + " password of an example outside localhost mode")
            .withDefault("an SQLite file in DATA_DIR", ConfigReader::databaseInDataDir)
            .withFix("export DATABASE_URL=postgres://USER:PASSWORD@HOST/NAME   # or unset it, for SQLite in DATA_DIR"));
    public static final Setting<Integer> DATABASE_CONNECTIONS =
            add(integer("DATABASE_CONNECTIONS", 10, 1, 500).purpose("size of the PostgreSQL connection pool"));
    public static final Setting<Duration> REQUEST_TIMEOUT_MS =
            add(duration("REQUEST_TIMEOUT_MS", MILLIS, RequestDeadline.DEFAULT.toMillis(), 1_000, 60_000)
                    .purpose("how long a request may wait for the database before it is refused with 503"));
    public static final Setting<Optional<RedisUrl>> REDIS_URL = add(parsed("REDIS_URL", RedisUrl::parse)
            .purpose("rate limits shared by all instances, and nothing else: redis://USER:PASSWORD@HOST:PORT/DATABASE,"
                    + " rediss:// for TLS, redis+cluster://HOST,HOST or redis+sentinel://HOST,HOST/NAME; no password of an"
                    + " example outside localhost mode")
            .optional("each instance counts its own rate limits")
            .withFix("export REDIS_URL=redis://:PASSWORD@HOST:6379   # or unset it, for rate limits per instance"));
    public static final Setting<Path> DATA_DIR = add(parsed("DATA_DIR", Path::of)
            .purpose("directory for the embedded database and the generated secret")
            .withDefault(DEFAULT_DATA_DIR)
            .withFix(reader ->
                    "export DATA_DIR=" + DataDirectory.nearestExisting(reader.get(Settings.DATA_DIR)) + "-data"));
    public static final Setting<Optional<String>> SESSION_SECRET = add(
            parsed("SESSION_SECRET", Secrets::session)
                    .purpose("secret that seals sessions, challenges and signing keys: at least " + Secrets.SECRET_BYTES
                            + " bytes and " + Secrets.DISTINCT
                            + " different characters; no example outside localhost mode")
                    .optional("")
                    .withDefault("generated in DATA_DIR when RP_ID is localhost, otherwise required", reader -> "")
                    .asSecret()
                    .withFix(
                            "export SESSION_SECRET=$(openssl rand -hex 32)   # keep it: sealed data cannot be opened without it"));
    public static final Setting<Optional<String>> SESSION_SECRET_PREVIOUS =
            add(parsed("SESSION_SECRET_PREVIOUS", Secrets::previous)
                    .purpose("the previous SESSION_SECRET, accepted during a rotation")
                    .optional("")
                    .asSecret()
                    .withFix("unset SESSION_SECRET_PREVIOUS   # needed only during a rotation"));
    public static final Setting<Optional<String>> ADMIN_TOKEN = add(parsed("ADMIN_TOKEN", Secrets::adminToken)
            .purpose("the emergency owner, a bearer token for /admin/* and the console: at least "
                    + Secrets.TOKEN_CHARACTERS + " characters, " + Secrets.DISTINCT
                    + " of them different; no example outside localhost mode")
            .optional(
                    "only users with a role and named tokens may use /admin/* and the console, and when RP_ID is localhost this"
                            + " machine until a user is an owner")
            .asSecret()
            .withFix("export ADMIN_TOKEN=$(openssl rand -hex 32)"));
    public static final Setting<Boolean> SIGNUP = add(either("SIGNUP", "open", "closed")
            .purpose("whether anyone may create an account")
            .withDefault(
                    "open when RP_ID is localhost, otherwise closed", reader -> reader.local() ? "open" : "closed"));
    public static final Setting<List<SignupField>> SIGNUP_FIELDS = add(parsed("SIGNUP_FIELDS", MemberLists::asked)
            .purpose("what a sign-up asks for besides the user name, comma-separated, * if required: name, givenName,"
                    + " familyName, email, locale, as in name*,email"));
    public static final Setting<Set<ProfileMember>> PROFILE_EDITABLE = add(parsed(
                    "PROFILE_EDITABLE", MemberLists::editable)
            .purpose("members of the profile that users may change on /account, comma-separated, or none: also email")
            .withDefault("name,givenName,familyName,locale,picture"));
    public static final Setting<Boolean> RECOVERY = add(either("RECOVERY", "codes", "off")
            .purpose("whether users can register a new passkey with a recovery code")
            .withDefault("codes"));
    public static final Setting<Duration> RECOVERY_DELAY_HOURS = add(duration("RECOVERY_DELAY_HOURS", HOURS, 0, 0, 720)
            .purpose("how long a recovery waits and can be canceled"));
    public static final Setting<LoginResult> LOGIN_RESULT =
            add(choice("LOGIN_RESULT", LoginResult.BOTH).purpose("what a sign-in returns"));
    public static final Setting<Duration> TOKEN_TTL_SECONDS =
            add(duration("TOKEN_TTL_SECONDS", SECONDS, 900, 1, DAY).purpose("lifetime of tokens"));
    public static final Setting<Duration> SESSION_TTL_SECONDS =
            add(duration("SESSION_TTL_SECONDS", SECONDS, DAY / 2, 1, 400 * DAY).purpose("lifetime of sessions"));
    public static final Setting<Duration> RECENT_LOGIN_SECONDS =
            add(duration("RECENT_LOGIN_SECONDS", SECONDS, 300, 1, DAY)
                    .purpose("maximum age of the sign-in for adding or removing a passkey"));
    public static final Setting<Duration> CHALLENGE_TTL_MS =
            add(duration("CHALLENGE_TTL_MS", MILLIS, PasskeyConfig.DEFAULT_CHALLENGE_TTL.toMillis(), 1_000, (int)
                            PasskeyConfig.MAX_CHALLENGE_TTL.toMillis())
                    .purpose("lifetime of challenges, and the timeout in the options"));
    public static final Setting<UserVerification> USER_VERIFICATION =
            add(choice("USER_VERIFICATION", PasskeyConfig.DEFAULT_USER_VERIFICATION)
                    .purpose("whether a PIN or biometrics are required"));
    public static final Setting<Boolean> ATTESTATION = add(either("ATTESTATION", "direct", "none")
            .purpose("direct requests attestation and verifies it")
            .withDefault("none"));
    public static final Setting<List<CredentialAlgorithm>> ALGORITHMS = add(parsed("ALGORITHMS", Parsers::algorithms)
            .purpose(
                    "algorithms of new passkeys in order of preference: ES256, alone or with EdDSA, ES384, ES512, RS256"
                            + " (for Windows Hello machines that only create RSA keys), PS256, ML-DSA-44, ML-DSA-65 and"
                            + " ML-DSA-87 (JDK 24 or the native crypto provider)")
            .withDefault("ES256"));
    public static final Setting<List<String>> ENTERPRISE_ATTESTATION =
            add(parsed("ENTERPRISE_ATTESTATION", Parsers::list)
                    .purpose("user ids, comma-separated, whose authenticators are asked to identify themselves, which"
                            + " browsers do only by policy; requires ATTESTATION=direct"));
    public static final Setting<List<String>> ATTESTATION_FORMATS = add(parsed("ATTESTATION_FORMATS", Parsers::list)
            .purpose("formats of attestation that browsers should prefer, comma-separated in order, such as"
                    + " packed,tpm"));
    public static final Setting<List<String>> HINTS = add(parsed("HINTS", Parsers::list)
            .purpose("kinds of authenticators that browsers should offer first, comma-separated in order: security-key,"
                    + " client-device, hybrid"));
    public static final Setting<Extensions> EXTENSIONS = add(parsed("EXTENSIONS", Parsers::extensions)
            .purpose("WebAuthn extensions that ceremonies request besides credProps, comma-separated: prf, largeBlob,"
                    + " largeBlob=required, credProtect=userVerificationRequired, minPinLength, appid=URL,"
                    + " appidExclude=URL"));
    public static final Setting<Optional<Path>> METADATA_FILE = add(parsed("METADATA_FILE", Parsers::existingFile)
            .purpose("file with the metadata of authenticators: a FIDO MDS3 BLOB; read again every hour")
            .optional("no metadata")
            .withFix("export METADATA_FILE=blob.jwt   # from https://mds.fidoalliance.org/"));
    public static final Setting<Optional<URI>> METADATA_URL = add(parsed("METADATA_URL", Parsers::metadataUrl)
            .purpose("https URL of that metadata, such as https://mds.fidoalliance.org/; requested once a day")
            .optional("no metadata")
            .withFix("export METADATA_URL=https://mds.fidoalliance.org/"));
    public static final Setting<Optional<MetadataTrust>> METADATA_ROOTS =
            add(parsed("METADATA_ROOTS", Parsers::metadataRoots)
                    .purpose("PEM file with the roots that the certificate of the metadata's signer must lead to")
                    .optional("the roots of FIDO's service, and its host name"));
    public static final Setting<Optional<AuthenticatorPolicy>> PASSKEY_POLICY_FILE =
            add(parsed("PASSKEY_POLICY_FILE", Parsers::policy)
                    .purpose("JSON file with the authenticators that may register and sign in")
                    .optional("with metadata, new passkeys of compromised authenticators are refused and sign-ins with"
                            + " them flagged"));
    public static final Setting<SignCountPolicy> SIGN_COUNT_POLICY = add(
            choice("SIGN_COUNT_POLICY", PasskeyConfig.DEFAULT_SIGN_COUNT_POLICY)
                    .purpose(
                            "what to do when a sign count does not grow; auto rejects device-bound passkeys and flags synced ones"));
    public static final Setting<Integer> MAX_PASSKEYS_PER_USER =
            add(integer("MAX_PASSKEYS_PER_USER", PasskeyConfig.DEFAULT_MAX_PASSKEYS_PER_USER, 1, 1_000)
                    .purpose("maximum number of passkeys per user"));
    public static final Setting<Integer> RATE_LIMIT_PER_MINUTE = add(integer("RATE_LIMIT_PER_MINUTE", 120, 0, 1_000_000)
            .purpose("ceremonies per minute and client address; 0 disables rate limits"));
    public static final Setting<Integer> AUDIT_RETENTION_DAYS = add(integer("AUDIT_RETENTION_DAYS", 0, 0, 36_500)
            .purpose("age in days at which audit rows are removed, leaving a signed checkpoint; 0 keeps them"));
    public static final Setting<ClientAddresses> TRUSTED_PROXIES =
            add(parsed("TRUSTED_PROXIES", text -> new ClientAddresses(Parsers.list(text)))
                    .purpose(
                            "comma-separated addresses and CIDR blocks whose X-Forwarded-For and X-Forwarded-Proto are trusted")
                    .withFix("export TRUSTED_PROXIES=127.0.0.1   # the address your proxy connects from"));
    public static final Setting<Optional<PemFile<List<Certificate>>>> TLS_CERTIFICATE = add(parsed(
                    "TLS_CERTIFICATE", PemFile::certificates)
            .purpose("PEM file with the certificate chain; reloaded when it changes")
            .optional("plain HTTP")
            .withFix("export TLS_CERTIFICATE=fullchain.pem   # the server's certificate first, then its issuers"));
    public static final Setting<Optional<PemFile<PrivateKey>>> TLS_KEY = add(parsed("TLS_KEY", PemFile::key)
            .purpose("PEM file (PKCS #8) with the certificate's private key")
            .optional("")
            .withFix("export TLS_KEY=privkey.pem   # from: openssl pkcs8 -topk8 -nocrypt -in OLD -out privkey.pem"));
    public static final Setting<Integer> MAX_BODY_BYTES =
            add(integer("MAX_BODY_BYTES", 65_536, 1_024, 16 * 1_024 * 1_024).purpose("largest request body"));
    public static final Setting<Duration> SVC_READINESS_DELAY_MS =
            add(duration("SVC_READINESS_DELAY_MS", MILLIS, 0, 0, HOUR_MS)
                    .purpose("how long readiness stays false after startup"));
    public static final Setting<Duration> SHUTDOWN_DELAY_MS = add(duration("SHUTDOWN_DELAY_MS", MILLIS, 0, 0, HOUR_MS)
            .purpose("how long to keep accepting requests after readiness turns false")
            .withDefault(
                    "0 on a loopback address, otherwise 3000",
                    reader -> Config.isLoopback(reader.get(HOST)) ? "0" : "3000"));
    public static final Setting<Duration> SHUTDOWN_TIMEOUT_MS =
            add(duration("SHUTDOWN_TIMEOUT_MS", MILLIS, 10_000, 0, HOUR_MS)
                    .purpose("how long to wait for requests in progress"));
    public static final Setting<Thresholds> LOG_LEVEL = add(parsed("LOG_LEVEL", Parsers::logLevels)
            .purpose("trace, debug, info, warn, error or fatal; also per logger, as in info,org.eclipse.jetty=debug")
            .withDefault("info"));
    public static final Setting<Optional<String>> K_SERVICE =
            add(TelemetrySettings.text("K_SERVICE", "set by Cloud Run: switches the log format to Google Cloud"));

    static {
        ALL.addAll(TelemetrySettings.ALL);
    }

    private Settings() {}

    /** All settings, in the order of the documentation. */
    public static List<Setting<?>> all() {
        return Collections.unmodifiableList(ALL);
    }

    private static <T> Setting<T> add(Setting<T> setting) {
        ALL.add(setting);
        return setting;
    }
}
