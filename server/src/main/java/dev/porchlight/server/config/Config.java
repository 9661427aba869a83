// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.server.storage.DataDirectory;
import dev.porchlight.server.storage.DatabaseUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The values of all {@link Settings}, valid as a whole. Immutable. */
public final class Config {
    /** The name of the service in log lines. */
    public static final String SERVICE = "porchlight";

    static final String LOCALHOST = "localhost";

    private final Map<String, Object> values;
    private final PasskeyConfig relyingParty;
    private final Optional<TlsFiles> tls;
    private final ObservabilitySettings observability;
    private final List<String> warnings;

    Config(
            Map<String, Object> values,
            PasskeyConfig relyingParty,
            Optional<TlsFiles> tls,
            ObservabilitySettings observability,
            List<String> warnings) {
        this.values = Map.copyOf(values);
        this.relyingParty = relyingParty;
        this.tls = tls;
        this.observability = observability;
        this.warnings = List.copyOf(warnings);
    }

    /** Reads all variables; throws if any is invalid. */
    public static Config read(Map<String, String> variables) throws InvalidConfigException {
        return new ConfigReader(variables).config();
    }

    @SuppressWarnings("unchecked") // the reader stored a value of the setting's type
    public <T> T get(Setting<T> setting) {
        return (T) Objects.requireNonNull(values.get(setting.name()));
    }

    public PasskeyConfig relyingParty() {
        return relyingParty;
    }

    /** The certificate and key for TLS; absent for plain HTTP. */
    public Optional<TlsFiles> tls() {
        return tls;
    }

    public ObservabilitySettings observability() {
        return observability;
    }

    /** What is probably a mistake, a sentence each. */
    public List<String> warnings() {
        return warnings;
    }

    /** Whether the data directory is used: for the embedded database or the generated secret. */
    public boolean needsDataDir() {
        return needsDataDir(get(Settings.SESSION_SECRET), get(Settings.DATABASE_URL));
    }

    static boolean needsDataDir(Optional<String> secret, DatabaseUrl database) {
        return secret.isEmpty() || database.engine() == DatabaseUrl.Engine.SQLITE;
    }

    /** Creates the data directory if it is needed and does not exist, and checks that files can be created in it. */
    public void createDataDir() throws InvalidConfigException {
        Path directory = get(Settings.DATA_DIR);
        boolean existed = Files.isDirectory(directory);
        try {
            if (needsDataDir()) {
                DataDirectory.create(directory);
                Files.delete(Files.createTempFile(directory, ".porchlight-", null));
            }
        } catch (IOException e) {
            String reason = e instanceof FileSystemException fault ? fault.getReason() : null;
            throw new InvalidConfigException(
                    Settings.DATA_DIR,
                    "is " + directory + ", which cannot be " + (existed ? "written to" : "created") + " ("
                            + (e instanceof AccessDeniedException
                                    ? "permission denied"
                                    : Objects.requireNonNullElse(reason, "the file system does not allow it"))
                            + ")",
                    "set a directory that the service's user can write to",
                    e);
        }
    }

    /** Whether the service runs in localhost mode, for this machine only. */
    public boolean local() {
        return relyingParty.rpId().equals(LOCALHOST);
    }

    /** Whether the admin routes and the console are enabled: with a token, or in localhost mode. */
    public boolean adminEnabled() {
        return local() || get(Settings.ADMIN_TOKEN).isPresent();
    }

    /** Whether browsers reach the pages over https. */
    public boolean https() {
        return relyingParty.origin().startsWith("https:");
    }

    /** Whether the service listens on a loopback address only. */
    public boolean loopback() {
        return isLoopback(get(Settings.HOST));
    }

    /** The host, in URL form, at which this machine reaches the service. */
    public String ownHost() {
        String found = get(Settings.HOST);
        try {
            if (InetAddress.getByName(found).isAnyLocalAddress()) {
                found = InetAddress.getLoopbackAddress().getHostAddress();
            }
        } catch (UnknownHostException e) {
            // connecting will report it
        }
        return found.contains(":") && !found.startsWith("[") ? '[' + found + ']' : found;
    }

    /** The address for operators of the service that this configuration starts on this machine. */
    public URI ownAddress() {
        int port = get(Settings.MANAGEMENT_PORT).orElse(get(Settings.PORT));
        return URI.create((tls().isPresent() ? "https://" : "http://") + ownHost() + ':' + port);
    }

    static boolean isLoopback(String host) {
        return host.equals(LOCALHOST) || host.startsWith("127.") || host.equals("::1") || host.equals("[::1]");
    }
}
