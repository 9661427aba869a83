// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.metadata.AuthenticatorPolicy;
import dev.porchlight.server.config.InvalidConfigException.Fault;
import dev.porchlight.server.config.Setting.InvalidValueException;
import dev.porchlight.server.storage.DataDirectory;
import dev.porchlight.server.storage.DatabaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads every setting once and collects the faults. After an invalid value it continues with the default, to find further
 * faults. An empty value counts as unset. Not thread-safe.
 */
public final class ConfigReader {
    private static final Pattern ORIGIN = Pattern.compile("https?://([^:/]+).*");

    private final Map<String, String> variables;
    private final Map<String, Object> values = new HashMap<>();
    /** Settings that the observe module reads itself: OpenTelemetry's and Google Cloud's. */
    private final ObservabilitySettings observability;

    private final List<Fault> faults = new ArrayList<>();
    private Optional<TlsFiles> tls = Optional.empty();
    private Optional<PasskeyConfig> relyingParty = Optional.empty();

    public ConfigReader(Map<String, String> variables) {
        this.variables = variables;
        Map<String, String> others = new HashMap<>(variables);
        others.keySet().removeAll(Set.of(Settings.LOG_LEVEL.name(), Settings.SVC_READINESS_DELAY_MS.name()));
        observability = ObservabilitySettings.fromEnvironment(Config.SERVICE, others);
        Settings.all().forEach(this::get);
        checkPorts();
        checkSecrets();
        checkTls();
        checkRelyingParty();
        checkDataDir();
        checkMetadata();
        checkAttestation();
        checkMail();
    }

    /** Returns the configuration; throws if there are faults. */
    public Config config() throws InvalidConfigException {
        if (!faults.isEmpty()) {
            throw new InvalidConfigException(faults, warnings(), null);
        }
        return new Config(
                values,
                relyingParty.orElseThrow(),
                tls,
                observability
                        .withLogLevels(get(Settings.LOG_LEVEL))
                        .withReadinessDelay(get(Settings.SVC_READINESS_DELAY_MS)),
                warnings());
    }

    /** A sentence about each variable that is probably a misspelled setting. */
    public List<String> warnings() {
        return Misspellings.in(variables.keySet());
    }

    /** The text of a setting if it is set, valid or not. */
    private Optional<String> text(Setting<?> setting) {
        return Optional.of(variables.getOrDefault(setting.name(), "").strip()).filter(text -> !text.isEmpty());
    }

    /** The value of a setting for display. */
    public String value(Setting<?> setting) {
        String value = text(setting)
                .map(setting::display)
                .orElseGet(() -> setting.defaultValue().apply(this));
        return value.isEmpty() ? Setting.UNSET : value;
    }

    /** Where the value of a setting comes from. */
    public String source(Setting<?> setting) {
        boolean generated = setting.equals(Settings.SESSION_SECRET) && local();
        return text(setting).isPresent()
                ? "environment"
                : generated ? "default: generated in " + get(Settings.DATA_DIR) : "default";
    }

    /** A shell command that replaces an invalid value. */
    public String fix(Setting<?> setting) {
        String command = setting.fix().apply(this);
        if (!command.isEmpty()) {
            return command;
        }
        String effect = setting.defaultText().replaceFirst("^unset(: )?", "");
        return "unset " + setting + (effect.isEmpty() ? "" : "   # default: " + effect);
    }

    @SuppressWarnings("unchecked") // resolve returns a value of the setting's type
    <T> T get(Setting<T> setting) {
        Object value = values.get(setting.name());
        if (value == null) {
            value = resolve(setting);
            values.put(setting.name(), value);
        }
        return (T) value;
    }

    /** Whether the variables configure localhost mode, even if some are invalid. */
    boolean local() {
        return rpId().equals(Config.LOCALHOST) && host().equals(Config.LOCALHOST);
    }

    /** The default origin, which exists in localhost mode only. */
    String localOrigin() {
        if (!rpId().equals(Config.LOCALHOST)) {
            return "";
        }
        boolean secure = text(Settings.TLS_CERTIFICATE).isPresent();
        int port = get(Settings.PORT);
        String origin = (secure ? "https" : "http") + "://" + Config.LOCALHOST;
        return port == 0 || port == (secure ? 443 : 80) ? origin : origin + ':' + port;
    }

    String databaseInDataDir() {
        return DatabaseUrl.sqliteIn(get(Settings.DATA_DIR)).jdbc();
    }

    String serviceName() {
        return observability.tracing().serviceName();
    }

    /** The host of the pages if known, which is also a valid RP_ID. */
    String host() {
        Matcher origin = ORIGIN.matcher(text(Settings.RP_ORIGIN).orElse(""));
        return origin.matches() ? origin.group(1) : rpId();
    }

    private <T> T resolve(Setting<T> setting) {
        Optional<String> text = text(setting);
        if (text.isPresent()) {
            try {
                return setting.parser().apply(text.get());
            } catch (InvalidValueException e) {
                fault(setting, e.problem, String.valueOf(e.getMessage()));
            } catch (IllegalArgumentException e) {
                fault(setting, "is invalid", String.valueOf(e.getMessage()));
            }
        }
        return setting.parser().apply(setting.defaultValue().apply(this));
    }

    private void checkPorts() {
        int port = get(Settings.PORT);
        if (port != 0 && get(Settings.MANAGEMENT_PORT).orElse(0) == port && !isFaulty(Settings.PORT)) {
            fault(Settings.MANAGEMENT_PORT, "equals PORT", "leave it unset to serve everything on one port");
        }
    }

    private void checkSecrets() {
        Optional<String> secret = text(Settings.SESSION_SECRET);
        if (secret.isEmpty() && !local()) {
            fault(
                    Settings.SESSION_SECRET,
                    "is missing",
                    "set at least " + Secrets.SECRET_BYTES + " random bytes, for example: openssl rand -hex 32");
        }
        if (!local()) {
            refuseExample(Settings.SESSION_SECRET, "set a random value, for example: openssl rand -hex 32");
            refuseExample(Settings.SESSION_SECRET_PREVIOUS, "unset it: with it, strangers could create valid tokens");
            refuseExample(Settings.ADMIN_TOKEN, "set a random value, for example: openssl rand -hex 24");
            refuseExamplePassword(Settings.DATABASE_URL);
            refuseExamplePassword(Settings.REDIS_URL);
            refuseExamplePassword(Settings.SMTP_URL);
        }
        if (secret.isPresent() && secret.equals(get(Settings.SESSION_SECRET_PREVIOUS))) {
            fault(Settings.SESSION_SECRET_PREVIOUS, "equals SESSION_SECRET", "set the replaced secret, or unset it");
        }
    }

    /** Everyone knows the values of the documentation and of example files, which consist of words. */
    private void refuseExample(Setting<?> setting, String fix) {
        if (text(setting).filter(Secrets::isExample).isPresent()) {
            fault(setting, "is an example", fix);
        }
    }

    private void refuseExamplePassword(Setting<?> setting) {
        if (text(setting).filter(Secrets::hasExamplePassword).isPresent()) {
            fault(setting, "has the password of an example", "set a random one, for example: openssl rand -hex 24");
        }
    }

    private void checkTls() {
        boolean certificate = text(Settings.TLS_CERTIFICATE).isPresent();
        boolean key = text(Settings.TLS_KEY).isPresent();
        if (certificate && !key) {
            fault(Settings.TLS_KEY, "is missing", "set the private key of TLS_CERTIFICATE");
        } else if (key && !certificate) {
            fault(Settings.TLS_CERTIFICATE, "is missing", "set the certificate of TLS_KEY");
        }
        try {
            tls = get(Settings.TLS_CERTIFICATE)
                    .flatMap(chain -> get(Settings.TLS_KEY).map(own -> new TlsFiles(chain, own)));
        } catch (IllegalArgumentException e) {
            fault(Settings.TLS_KEY, "is invalid", String.valueOf(e.getMessage()));
        }
    }

    private void checkRelyingParty() {
        Optional<String> origin = get(Settings.RP_ORIGIN);
        boolean validId = !isFaulty(Settings.RP_ID);
        if (isFaulty(Settings.RP_ORIGIN)) {
            return;
        }
        if (origin.isEmpty()) {
            String host = validId ? get(Settings.RP_ID) : "example.com";
            fault(Settings.RP_ORIGIN, "is missing", "set the origin of the pages, for example https://" + host);
        } else if (validId) {
            try {
                relyingParty = Optional.of(RelyingParty.of(this));
            } catch (IllegalArgumentException e) {
                String reason = String.valueOf(e.getMessage()).replaceFirst("^rpId ", "");
                fault(Settings.RP_ID, "does not match RP_ORIGIN", reason + "; for example, set it to " + host());
            }
        }
    }

    private void checkDataDir() {
        Path file = DataDirectory.nearestExisting(get(Settings.DATA_DIR));
        if (Config.needsDataDir(get(Settings.SESSION_SECRET), get(Settings.DATABASE_URL)) && !Files.isDirectory(file)) {
            fault(
                    Settings.DATA_DIR,
                    "is " + get(Settings.DATA_DIR) + ", which is not a directory (" + file + " is a file)",
                    "must be a directory, which is created if it does not exist");
        }
    }

    private void checkMetadata() {
        boolean file = text(Settings.METADATA_FILE).isPresent();
        boolean url = text(Settings.METADATA_URL).isPresent();
        if (file && url) {
            fault(Settings.METADATA_URL, "and METADATA_FILE are set", "set one of them");
        }
        AuthenticatorPolicy policy = RelyingParty.policy(this);
        if (!file && !url && (policy.minimum().isPresent() || policy.attestationRequired())) {
            fault(
                    Settings.METADATA_URL,
                    "is missing",
                    "PASSKEY_POLICY_FILE requires attestation or certification: set METADATA_URL or METADATA_FILE");
        }
    }

    private void checkAttestation() {
        boolean verified = RelyingParty.attestation(this) != AttestationPolicy.NOT_REQUESTED;
        if (text(Settings.ENTERPRISE_ATTESTATION).isPresent() && !verified) {
            fault(Settings.ENTERPRISE_ATTESTATION, "is set, but attestation is not verified", "set ATTESTATION=direct");
        }
    }

    private void checkMail() {
        if (text(Settings.SMTP_URL).isPresent() && text(Settings.MAIL_FROM).isEmpty()) {
            fault(Settings.MAIL_FROM, "is missing", "set the address that mails are sent from");
        }
    }

    private String rpId() {
        return text(Settings.RP_ID).orElse(Config.LOCALHOST);
    }

    private boolean isFaulty(Setting<?> setting) {
        return faults.stream().anyMatch(fault -> fault.setting().equals(setting));
    }

    private void fault(Setting<?> setting, String problem, String fix) {
        faults.add(new Fault(setting, problem, fix));
    }
}
