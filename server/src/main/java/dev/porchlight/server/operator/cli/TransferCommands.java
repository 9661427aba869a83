// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.store.PasskeyExport;
import dev.porchlight.passkey.store.PasskeyImport;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.auth.StableKeys.Purpose;
import dev.porchlight.server.operator.transfer.EndedEntries;
import dev.porchlight.server.operator.transfer.EndedEntries.Mode;
import dev.porchlight.server.operator.transfer.Export;
import dev.porchlight.server.operator.transfer.ImportSink;
import dev.porchlight.server.operator.transfer.ImportSource;
import dev.porchlight.server.operator.transfer.LibrarySource;
import dev.porchlight.server.operator.transfer.PorchlightSource;
import dev.porchlight.server.operator.transfer.SpringSource;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.wiring.StorageModule;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that move passkeys. */
final class TransferCommands {
    private TransferCommands() {}

    /** Writes all passkeys as JSON lines. */
    @Command(
            name = "export",
            header = "Write all users, profiles, groups and passkeys as JSON lines, for import.",
            description = {
                "",
                "Contains public keys, ids, names, profiles and groups, but no sessions, signing keys and roles. It is a snapshot of the database"
                        + " and can be written while the service runs.",
            })
    static final class ExportCommand extends BaseCommand {
        @Parameters(paramLabel = "FILE", description = "the export; must not exist; - for standard output")
        private String file = "";

        @Override
        int run() throws Exception {
            Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
            var source = new PasskeyExport(storage().database().dataSource());
            long passkeys = export(file, lines -> new Export(lines).write(source, now));
            if (!file.equals("-")) {
                out().println("exported " + counted(passkeys, "passkey") + " to " + file);
            }
            audit(AuditAction.PASSKEYS_EXPORTED, "");
            return 0;
        }
    }

    /** Imports users and passkeys. */
    @Command(
            name = "import",
            header = "Import users and passkeys from an export or another library.",
            description = {
                "",
                "Imports everything or, if one entry is invalid or contradicts existing data, nothing. Existing data is never"
                        + " changed, so an import can be repeated. Passkeys that were removed here and users who were erased are"
                        + " reported and not imported. RP_ID must be the one that the passkeys were created for. Passkeys of"
                        + " other libraries are imported with RP_ORIGIN as their origin. docs/guides/moving-passkeys.md has the formats.",
                "",
                "With SQLite, the service cannot write during an import."
            })
    static final class ImportCommand extends BaseCommand {
        /** The supported formats. */
        enum Origin {
            PORCHLIGHT,
            SPRING,
            YUBICO,
            WEBAUTHN4J,
            SIMPLEWEBAUTHN,
            KEYCLOAK,
            HANKO
        }

        @Parameters(arity = "0..1", paramLabel = "FILE", description = "JSON lines; - for standard input")
        private @Nullable String file;

        @Option(
                names = "--from",
                paramLabel = "FORMAT",
                description =
                        "porchlight (an export; the default), spring, yubico, webauthn4j, simplewebauthn, keycloak or"
                                + " hanko")
        private Origin from = Origin.PORCHLIGHT;

        @Option(names = "--database", paramLabel = "URL", description = "the database with the tables, for spring")
        private @Nullable String database;

        @Option(names = "--skip-unsupported", description = "skip passkeys whose algorithm is not in ALGORITHMS")
        private boolean skipUnsupported;

        @Option(
                names = "--skip-invalid",
                description = "skip and report invalid entries of other libraries, and import the others")
        private boolean skipInvalid;

        @Option(
                names = "--revive",
                description = "also import passkeys that were removed here, and users who were erased")
        private boolean revive;

        @Override
        int run() throws Exception {
            if ((from == Origin.SPRING) == (database == null) || (from == Origin.SPRING) == (file != null)) {
                throw misuse("spring requires --database URL; all other formats require a FILE");
            }
            PasskeyConfig relyingParty = config().relyingParty();
            EndedEntries ended = ended();
            ImportSink sink;
            PasskeyImport.Counts counts;
            try (InputStream in = open();
                    PasskeyImport target =
                            PasskeyImport.into(storage().database().dataSource(), relyingParty.algorithms(), ended)) {
                sink = new ImportSink(relyingParty, target, skipUnsupported, skipInvalid, err()::println);
                source(in, relyingParty.origin(), ended).readInto(sink);
                counts = target.finish();
            }
            storage().names().takeMissing(storage().sql()); // of users whose name another spelling holds
            audit(ended.revived() ? AuditAction.PASSKEYS_REVIVED : AuditAction.PASSKEYS_IMPORTED, "");
            out().println("imported " + counted(counts.passkeys(), "passkey") + " and "
                    + counted(counts.users(), "user") + "; " + counted(counts.known(), "passkey") + " already existed");
            sink.warn();
            ended.warn();
            return 0;
        }

        private EndedEntries ended() throws IOException, CommandException {
            StorageModule storage = storage();
            boolean recognizes = storage.keys().isReadable(Purpose.ERASED_NAMES)
                    && storage.keys().isReadable(Purpose.REMOVED_PASSKEYS);
            if (!recognizes && !revive) {
                throw new CommandException(
                        "SESSION_SECRET is not the secret of this database. With another one, the import does not recognize"
                                + " removed passkeys and erased users. Set the secret that the service had, also as"
                                + " SESSION_SECRET_PREVIOUS; if it is lost, use --revive, which imports them too.");
            }
            if (!recognizes) {
                err().println(
                                "SESSION_SECRET is not the secret of this database: passkeys that were removed here and users"
                                        + " who were erased are not recognized, and are imported if the source has them.");
            }
            return new EndedEntries(
                    storage.names(),
                    storage.erasedUsers(),
                    storage.removedPasskeys(),
                    !revive ? Mode.REFUSE : recognizes ? Mode.REVIVE : Mode.REVIVE_UNRECOGNIZED,
                    Clock.systemUTC(),
                    err()::println);
        }

        private InputStream open() throws IOException {
            if (file == null) {
                return InputStream.nullInputStream();
            }
            return file.equals("-") ? System.in : new BufferedInputStream(Files.newInputStream(Path.of(file)));
        }

        private ImportSource source(InputStream in, String origin, EndedEntries ended) {
            return switch (from) {
                case PORCHLIGHT -> new PorchlightSource(in, ended);
                case SPRING -> new SpringSource(DatabaseUrl.parse(Objects.requireNonNull(database)), origin);
                default -> new LibrarySource(in, LibrarySource.Dialect.valueOf(from.name()), origin);
            };
        }
    }
}
