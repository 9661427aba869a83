// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.metadata.MetadataBlob;
import dev.porchlight.passkey.metadata.MetadataSource;
import dev.porchlight.passkey.metadata.MetadataTrust;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.wiring.MetadataModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks the metadata of authenticators: the configured file, and the one that the service keeps. Requests nothing. */
final class MetadataCheck {
    private final Examination examination;
    private final Config config;

    MetadataCheck(Examination examination) {
        this.examination = examination;
        this.config = examination.config();
    }

    void run() {
        Optional<Path> file = config.get(Settings.METADATA_FILE);
        Path kept = config.get(Settings.DATA_DIR).resolve(MetadataModule.FILE);
        if (file.isEmpty() && config.get(Settings.METADATA_URL).isEmpty()) {
            if (config.get(Settings.PASSKEY_POLICY_FILE).isPresent()) {
                examination.warning("PASSKEY_POLICY_FILE is set and there is no metadata, so compromised"
                        + " authenticators are not recognized: set METADATA_URL or METADATA_FILE");
            }
            return;
        }
        MetadataBlob last =
                Files.exists(kept) ? read(kept, "rm " + kept + "   # it is read again at the next start") : null;
        if (file.isPresent()) {
            MetadataBlob configured = read(file.get(), "curl -o " + file.get() + " https://mds.fidoalliance.org/");
            if (configured != null && last != null && configured.number() < last.number()) {
                examination.problem(
                        "METADATA_FILE has number " + configured.number() + ", which is older than " + last.number()
                                + " in " + kept + ", so it is not used",
                        "rm " + kept + "   # only to go back on purpose, while the service is stopped");
            } else {
                checkDate(configured);
            }
        } else if (last == null && !Files.exists(kept)) {
            examination.warning("METADATA_URL was not read yet: there is no " + kept);
        } else {
            checkDate(last);
        }
    }

    private @Nullable MetadataBlob read(Path file, String fix) {
        try {
            MetadataTrust trust = config.get(Settings.METADATA_ROOTS).orElseGet(MetadataTrust::fido);
            return MetadataBlob.parse(
                    MetadataSource.file(file).read(), trust, examination.clock().instant());
        } catch (IOException | MalformedException e) {
            examination.problem("the metadata in " + file + " cannot be used: " + e.getMessage(), fix);
            return null;
        }
    }

    /** Old metadata stays in use, so that is no problem, but new warnings of FIDO are missing. */
    private void checkDate(@Nullable MetadataBlob blob) {
        if (blob == null) {
            return;
        }
        String what = "metadata number " + blob.number() + " (authenticators: " + blob.size() + ")";
        LocalDate today = LocalDate.ofInstant(examination.clock().instant(), ZoneOffset.UTC);
        if (blob.nextUpdate().isBefore(today)) {
            examination.warning(what + " should have been replaced on " + blob.nextUpdate()
                    + "; reports about compromised authenticators since then are missing");
        } else {
            examination.ok(what + " is readable; newer metadata is due on " + blob.nextUpdate());
        }
    }
}
