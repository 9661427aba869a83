// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.passkey.store.PasskeyImport;
import dev.porchlight.passkey.store.UserRecord;
import dev.porchlight.server.operator.transfer.ImportSource.InvalidLineException;
import java.util.function.Consumer;

/**
 * Imports users and passkeys, each with its position in the source for error messages, and counts what to warn of. Not
 * thread-safe.
 */
public final class ImportSink {
    private final PasskeyConfig relyingParty;
    private final PasskeyImport target;
    private final boolean skipUnsupported;
    private final boolean skipInvalid;
    private final Consumer<String> warnings;
    private long unsupported;
    private long skipped;
    private long elsewhere;

    /**
     * Imports into a target.
     *
     * @param skipUnsupported whether passkeys whose algorithm is not configured are skipped, rather than end the import
     * @param skipInvalid whether invalid entries are skipped, rather than end the import
     */
    public ImportSink(
            PasskeyConfig relyingParty,
            PasskeyImport target,
            boolean skipUnsupported,
            boolean skipInvalid,
            Consumer<String> warnings) {
        this.relyingParty = relyingParty;
        this.target = target;
        this.skipUnsupported = skipUnsupported;
        this.skipInvalid = skipInvalid;
        this.warnings = warnings;
    }

    void user(UserRecord user, String place) throws ImportConflictException {
        target.add(user, place);
    }

    void passkey(CredentialRecord passkey, String place) throws ImportConflictException {
        boolean accepted = passkey.origin().equals(relyingParty.origin())
                || relyingParty.relatedOrigins().contains(passkey.origin());
        elsewhere += accepted ? 0 : 1;
        target.add(passkey, place);
    }

    /** Returns whether a passkey with this COSE algorithm is imported, rather than skipped. */
    boolean supports(long algorithm, String place) throws InvalidLineException {
        if (CredentialAlgorithm.of(algorithm)
                .filter(relyingParty.algorithms()::contains)
                .isPresent()) {
            return true;
        }
        if (!skipUnsupported) {
            throw new InvalidLineException(
                    place, "the algorithm " + algorithm + " is not in ALGORITHMS. Use --skip-unsupported to skip it");
        }
        unsupported++;
        skipped++;
        return false;
    }

    /** Receives an invalid entry of another library. The import continues if this method returns. */
    void invalid(InvalidLineException entry) throws InvalidLineException {
        if (!skipInvalid) {
            throw entry;
        }
        skipped++;
        warnings.accept("Skipped: " + entry.getMessage());
    }

    /** Receives a valid credential that must not become a passkey, such as a second factor. */
    void skipped(String place, String reason) {
        skipped++;
        warnings.accept("Skipped: " + place + ": " + reason);
    }

    /** Warns of everything that was skipped or is not usable yet. */
    public void warn() {
        if (unsupported > 0) {
            warnings.accept("Skipped passkeys whose algorithm is not in ALGORITHMS: " + unsupported + '.');
        }
        if (skipped > 0) {
            warnings.accept("The names of skipped users are not taken: with SIGNUP=open, anyone can sign up with them."
                    + " Send these users an enrollment link (enroll USER), which takes the name.");
        }
        if (elsewhere > 0) {
            warnings.accept("Passkeys of origins that are neither RP_ORIGIN nor in RP_RELATED_ORIGINS: " + elsewhere
                    + ". They are refused until you add those origins.");
        }
    }
}
