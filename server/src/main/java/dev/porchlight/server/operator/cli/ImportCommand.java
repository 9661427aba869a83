// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.cli;

import dev.porchlight.passkey.store.ClashException;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.PasskeyImport;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.operator.transfer.Arrivals;
import dev.porchlight.server.operator.transfer.Arrivals.BadLineException;
import dev.porchlight.server.operator.transfer.Arrivals.Sink;
import dev.porchlight.server.operator.transfer.ForeignLines;
import dev.porchlight.server.operator.transfer.OwnLines;
import dev.porchlight.server.operator.transfer.SpringTables;
import dev.porchlight.server.storage.DatabaseUrl;
import dev.porchlight.server.storage.TakenNames;
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

/** Takes passkeys over. */
@Command(
        name = "import",
        header = "Take over users and passkeys that were registered elsewhere.",
        description = {
            "",
            "All of them or, if one is not right or contradicts what is there, none. What is there is never changed,",
            "so that it may be run again. RP_ID must be the one the passkeys were made for. docs/guides/moving-passkeys.md has the",
            "formats; the passkeys of other libraries are taken to have been registered at RP_ORIGIN.",
            "",
            "On SQLite the service cannot write meanwhile."
        })
final class ImportCommand extends OnStore {
    /** Whose passkeys they are. */
    enum Origin {
        PORCHLIGHT,
        SPRING,
        YUBICO,
        WEBAUTHN4J
    }

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "JSON lines; - for standard input")
    private @Nullable String file;

    @Option(
            names = "--from",
            paramLabel = "FORMAT",
            description = "porchlight (an export, which is the default), spring, yubico or webauthn4j")
    private Origin from = Origin.PORCHLIGHT;

    @Option(names = "--database", paramLabel = "URL", description = "for spring: the database that holds its tables")
    private @Nullable String database;

    @Option(names = "--skip-unsupported", description = "leave out passkeys whose algorithm is not ES256")
    private boolean skipUnsupported;

    @Override
    int run(Config config, StorageModule storage) throws Exception {
        if ((from == Origin.SPRING) == (database == null) || (from == Origin.SPRING) == (file != null)) {
            throw new ParameterException(command(), "spring is read from --database URL, everything else from FILE");
        }
        Counting counting;
        PasskeyImport.Counts counts;
        try (InputStream in = open();
                PasskeyImport target = PasskeyImport.into(storage.database().dataSource())) {
            counting = new Counting(config, target);
            arrivals(in, config.relyingParty().origin()).readInto(counting);
            counts = target.finish();
        }
        TakenNames.fill(storage.sql()); // so that no stranger signs up under the name of an imported user
        audit(storage, "passkeys_imported", "");
        out().println("imported " + counts.passkeys() + " passkeys and " + counts.users() + " users; " + counts.known()
                + " passkeys were there already");
        if (counting.unsupported > 0) {
            err().println(counting.unsupported + " passkeys were left out: their algorithm is not ES256.");
        }
        if (counting.elsewhere > 0) {
            err().println(counting.elsewhere + " passkeys were registered at other origins than RP_ORIGIN and"
                    + " RP_RELATED_ORIGINS, and are refused until those are among them.");
        }
        return 0;
    }

    private InputStream open() throws IOException {
        if (file == null) {
            return InputStream.nullInputStream();
        }
        return file.equals("-") ? System.in : new BufferedInputStream(Files.newInputStream(Path.of(file)));
    }

    private Arrivals arrivals(InputStream in, String origin) {
        return switch (from) {
            case PORCHLIGHT -> new OwnLines(in);
            case YUBICO -> new ForeignLines(in, ForeignLines.Dialect.YUBICO, origin);
            case WEBAUTHN4J -> new ForeignLines(in, ForeignLines.Dialect.WEBAUTHN4J, origin);
            case SPRING -> new SpringTables(DatabaseUrl.parse(Objects.requireNonNull(database)), origin);
        };
    }

    /** Passes on what comes, and counts what somebody should hear of. */
    private final class Counting implements Sink {
        private final Config config;
        private final PasskeyImport target;
        private long unsupported;
        private long elsewhere;

        Counting(Config config, PasskeyImport target) {
            this.config = config;
            this.target = target;
        }

        @Override
        public void user(UserRecord user, String place) throws ClashException {
            target.add(user, place);
        }

        @Override
        public void passkey(CredentialRecord passkey, String place) throws ClashException {
            boolean ours = passkey.origin().equals(config.relyingParty().origin())
                    || config.relyingParty().relatedOrigins().contains(passkey.origin());
            elsewhere += ours ? 0 : 1;
            target.add(passkey, place);
        }

        @Override
        public void unsupported(String place, long algorithm) throws BadLineException {
            if (!skipUnsupported) {
                throw new BadLineException(
                        place, "the algorithm is " + algorithm + ", not ES256 (-7): --skip-unsupported leaves it out");
            }
            unsupported++;
        }
    }
}
