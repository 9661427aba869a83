// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.auth.StableKeys.Purpose;
import dev.porchlight.server.auth.UserIds;
import dev.porchlight.server.config.ConfigReader;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.crypto.SignatureProvider;
import dev.porchlight.server.operator.doctor.Diagnosis;
import dev.porchlight.server.operator.doctor.Doctor;
import dev.porchlight.server.wiring.StorageModule;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands about the service itself. */
final class ServiceCommands {
    private ServiceCommands() {}

    /** Runs the service. */
    @Command(
            name = "serve",
            header = "Start the service, by default on http://localhost:" + Settings.DEFAULT_PORT + " with its data in "
                    + Settings.DEFAULT_DATA_DIR + ".",
            description = {
                "",
                "On SIGTERM, readiness turns false, open requests are completed, and the process exits with 0."
            })
    static final class ServeCommand extends BaseCommand {
        @Override
        int run() throws Exception {
            cli().service.run(cli().environment);
            return 0;
        }
    }

    /** Checks the service. */
    @Command(
            name = "doctor",
            header = "Check this machine and the public URL, and suggest a fix for each problem.",
            description = {
                "",
                "Checks the configuration, the data directory, the database, the clock, the signing keys, the crypto"
                        + " provider, the port, and the applications against the discovery document. With the public URL, also TLS, the redirect to https, the proxy's headers, the"
                        + " session cookie, the security headers and the well-known documents.",
                "",
                "With --client, plays the requests of one application, and says what its library must be set to.",
                "",
                "Changes nothing. Exits with 1 if there are problems."
            })
    static final class DoctorCommand extends BaseCommand {
        @Parameters(
                arity = "0..1",
                paramLabel = "URL",
                description = "the public URL of the service, for example https://login.example.com")
        private @Nullable URI url;

        @Option(names = "--client", paramLabel = "ID", description = "check the application with this client id only")
        private @Nullable String client;

        @Mixin
        private final Format format = new Format();

        @Override
        int run() {
            if (url != null
                    && (url.getHost() == null || !List.of("http", "https").contains(url.getScheme()))) {
                throw misuse(url + " must be an http or https URL, for example https://login.example.com");
            }
            List<Diagnosis> results = Doctor.of(cli().environment).examine(url, client);
            Listing listing = Listing.of(json -> json.objects(
                    "results",
                    results,
                    (member, result) -> member.text("state", name(result))
                            .text("what", result.what())
                            .text("fix", result.fix())));
            int problems = 0;
            for (Diagnosis result : results) {
                boolean problem = result.state() == Diagnosis.State.PROBLEM;
                String state = problem ? "PROBLEM" : name(result);
                listing.note("  " + state + " ".repeat(9 - state.length()) + result.what());
                if (problem) {
                    listing.note("           fix: " + result.fix());
                    problems++;
                }
            }
            long warnings = results.stream()
                    .filter(result -> result.state() == Diagnosis.State.WARNING)
                    .count();
            format.print(listing.note((problems == 0 ? "No problems" : counted(problems, "problem")) + " found"
                    + (warnings == 0 ? "." : ", " + counted(warnings, "warning") + ".")));
            return problems == 0 ? 0 : Cli.FAILED;
        }

        private static String name(Diagnosis result) {
            return result.state().name().toLowerCase(Locale.ROOT);
        }
    }

    /** Explains the configuration. */
    @Command(
            name = "config",
            header = "Show every variable: its value, the source of the value, and its meaning.",
            description = {"", "Secrets are shown as set or unset. Exits with 2 if the configuration is invalid."})
    static final class ConfigCommand extends BaseCommand {
        @Mixin
        private final Format format = new Format();

        @Override
        int run() throws Exception {
            ConfigReader reader = new ConfigReader(cli().environment);
            Listing listing = Listing.of(json -> json.objects(
                            "settings",
                            Settings.all(),
                            (member, setting) -> member.text("name", setting.name())
                                    .optionalText("value", value(reader, setting))
                                    .text("source", reader.source(setting))
                                    .text("help", setting.help()))
                    .texts("warnings", reader.warnings()));
            for (Setting<?> setting : Settings.all()) {
                listing.note(setting + " = " + reader.value(setting) + " (" + reader.source(setting) + ')');
                listing.note("    " + setting.help());
                if (setting.equals(Settings.ALGORITHMS)) {
                    listing.note("    " + SignatureProvider.choose().algorithms());
                }
            }
            format.print(listing);
            List<String> warnings = reader.config().warnings();
            if (!format.isJson()) {
                warnings.forEach(this::warn);
            }
            return 0;
        }

        /** Null if the setting has no value, which a script must not take for one. */
        private static @Nullable String value(ConfigReader reader, Setting<?> setting) {
            String value = reader.value(setting);
            return value.equals(Setting.UNSET) ? null : value;
        }
    }

    /** Prints the pseudonyms of a user. */
    @Command(
            name = "pseudonym",
            header = "Print the pseudonyms of a user in the logs and in the audit log.",
            description = {
                "",
                "The log pseudonym is the field `user` of log lines about registrations and logins. The audit subject is the"
                        + " column `subject` of audit rows, also for a user who was erased: search the audit log for"
                        + " porchlight:pseudonym: and the subject.",
                "Both stay the same when the secret is rotated, and cannot be converted back to the user id."
            })
    static final class PseudonymCommand extends BaseCommand {
        @Parameters(paramLabel = "USER", description = "the user id")
        private String user = "";

        @Mixin
        private final Format format = new Format();

        @Override
        int run() throws Exception {
            UserIds.requireExisting(user);
            StorageModule storage = storage();
            String subject = new AuditSubjects(storage.keys().of(Purpose.AUDIT_CHAIN)).of(user);
            format.print(Listing.of(json -> json.text(
                                    "logPseudonym", storage.pseudonyms().of(user))
                            .text("auditSubject", subject))
                    .fields("logPseudonym", "auditSubject"));
            return 0;
        }
    }

    /** Prints the version. */
    @Command(name = "version", header = "Print the versions of Porchlight and the JDK.")
    static final class VersionCommand extends BaseCommand implements IVersionProvider {
        @Mixin
        private final Format format = new Format();

        @Override
        int run() throws IOException {
            String version = version();
            format.print(Listing.of(json -> json.text("version", version)
                            .text("jdk", Runtime.version().toString()))
                    .note(getVersion()[0]));
            return 0;
        }

        @Override
        public String[] getVersion() throws IOException {
            return new String[] {"porchlight " + version() + " (JDK " + Runtime.version() + ")"};
        }

        private static String version() throws IOException {
            Properties properties = new Properties();
            try (InputStream file = VersionCommand.class.getResourceAsStream("version.properties")) {
                if (file != null) {
                    properties.load(file);
                }
            }
            return properties.getProperty("version", "from source");
        }
    }
}
