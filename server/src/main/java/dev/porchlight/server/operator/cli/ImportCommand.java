// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.passkey.store.PasskeyImport;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.operator.transfer.HankoSource;
import dev.porchlight.server.operator.transfer.ImportSource;
import dev.porchlight.server.operator.transfer.ImportSource.InvalidLineException;
import dev.porchlight.server.operator.transfer.ImportSource.Sink;
import dev.porchlight.server.operator.transfer.KeycloakSource;
import dev.porchlight.server.operator.transfer.LibrarySource;
import dev.porchlight.server.operator.transfer.PorchlightSource;
import dev.porchlight.server.operator.transfer.SimpleWebAuthnSource;
import dev.porchlight.server.operator.transfer.SpringSource;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.wiring.StorageModule;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Imports users and passkeys. */
@Command(
        name = "import",
        header = "Import users and passkeys from an export or another library.",
        description = {
            "",
            "Imports everything or, if one entry is invalid or contradicts existing data, nothing. Existing data is never"
                    + " changed, so an import can be repeated. RP_ID must be the one that the passkeys were created for. Passkeys of"
                    + " other libraries are imported with RP_ORIGIN as their origin. docs/guides/moving-passkeys.md has the formats.",
            "",
            "With SQLite, the service cannot write during an import."
        })
final class ImportCommand extends StorageCommand {
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
            description = "porchlight (an export; the default), spring, yubico, webauthn4j, simplewebauthn, keycloak or"
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

    @Override
    int run(Config config, StorageModule storage) throws Exception {
        if ((from == Origin.SPRING) == (database == null) || (from == Origin.SPRING) == (file != null)) {
            throw new ParameterException(command(), "spring requires --database URL; all other formats require a FILE");
        }
        Counting counting;
        PasskeyImport.Counts counts;
        try (InputStream in = open();
                PasskeyImport target = PasskeyImport.into(
                        storage.database().dataSource(), config.relyingParty().algorithms())) {
            counting = new Counting(config, target);
            source(in, config.relyingParty().origin()).readInto(counting);
            counts = target.finish();
        }
        storage.names().takeMissing(storage.sql()); // no stranger can sign up under the name of an imported user
        audit(storage, AuditAction.PASSKEYS_IMPORTED, "");
        out().println("imported " + counts.passkeys() + " passkeys and " + counts.users() + " users; " + counts.known()
                + " passkeys already existed");
        if (counting.unsupported > 0) {
            err().println(counting.unsupported + " passkeys were skipped: their algorithm is not in ALGORITHMS.");
        }
        if (counting.skipped > 0) {
            err().println("The names of skipped users are not taken: with SIGNUP=open, anyone can sign up with them."
                    + " Send these users an enrollment link (enroll USER), which takes the name.");
        }
        if (counting.elsewhere > 0) {
            err().println(counting.elsewhere + " passkeys were registered at origins that are neither RP_ORIGIN"
                    + " nor in RP_RELATED_ORIGINS. They are refused until you add those origins.");
        }
        return 0;
    }

    private InputStream open() throws IOException {
        if (file == null) {
            return InputStream.nullInputStream();
        }
        return file.equals("-") ? System.in : new BufferedInputStream(Files.newInputStream(Path.of(file)));
    }

    private ImportSource source(InputStream in, String origin) {
        return switch (from) {
            case PORCHLIGHT -> new PorchlightSource(in);
            case YUBICO -> new LibrarySource(in, LibrarySource.Dialect.YUBICO, origin);
            case WEBAUTHN4J -> new LibrarySource(in, LibrarySource.Dialect.WEBAUTHN4J, origin);
            case SIMPLEWEBAUTHN -> new SimpleWebAuthnSource(in, origin);
            case KEYCLOAK -> new KeycloakSource(in, origin);
            case HANKO -> new HankoSource(in, origin);
            case SPRING -> new SpringSource(DatabaseUrl.parse(Objects.requireNonNull(database)), origin);
        };
    }

    /** Passes entries on, and counts those to report. */
    private final class Counting implements Sink {
        private final Config config;
        private final PasskeyImport target;
        private long unsupported;
        private long skipped;
        private long elsewhere;

        Counting(Config config, PasskeyImport target) {
            this.config = config;
            this.target = target;
        }

        @Override
        public void user(UserRecord user, String place) throws ImportConflictException {
            target.add(user, place);
        }

        @Override
        public void passkey(CredentialRecord passkey, String place) throws ImportConflictException {
            boolean accepted = passkey.origin().equals(config.relyingParty().origin())
                    || config.relyingParty().relatedOrigins().contains(passkey.origin());
            elsewhere += accepted ? 0 : 1;
            target.add(passkey, place);
        }

        @Override
        public boolean supports(long algorithm) {
            return CredentialAlgorithm.of(algorithm)
                    .filter(config.relyingParty().algorithms()::contains)
                    .isPresent();
        }

        @Override
        public void unsupported(String place, long algorithm) throws InvalidLineException {
            if (!skipUnsupported) {
                throw new InvalidLineException(
                        place,
                        "the algorithm " + algorithm + " is not in ALGORITHMS. Use --skip-unsupported to skip it");
            }
            unsupported++;
            skipped++;
        }

        @Override
        public void invalid(InvalidLineException entry) throws InvalidLineException {
            if (!skipInvalid) {
                throw entry;
            }
            skipped++;
            err().println("Skipped: " + entry.getMessage());
        }

        @Override
        public void skipped(String place, String reason) {
            skipped++;
            err().println("Skipped: " + place + ": " + reason);
        }
    }
}
