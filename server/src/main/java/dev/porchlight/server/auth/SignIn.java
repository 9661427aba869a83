// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.passkey.CeremonyCommit;
import dev.porchlight.passkey.VerifiedAssertion;
import dev.porchlight.passkey.metadata.Authenticators;
import dev.porchlight.passkey.store.CredentialRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A verified sign-in: a login, or the registration of a passkey with an enrollment token. Sessions and tokens require one, and
 * it can only be created from the result of a verified ceremony. Immutable.
 */
public final class SignIn {
    private static final String HARDWARE_KEY = "hwk";

    private final CredentialRecord passkey;
    private final Instant at;
    private final boolean userVerified;
    private final String key;

    private SignIn(
            CredentialRecord passkey, Instant at, boolean userVerified, boolean backupEligible, Authenticators known) {
        this.passkey = passkey;
        this.at = at;
        this.userVerified = userVerified;
        this.key = keyMethod(backupEligible, known.isHardwareKey(passkey.authenticator(), at));
    }

    static SignIn of(VerifiedAssertion login, Authenticators known) {
        return new SignIn(login.credential(), login.at(), login.userVerified(), login.backupEligible(), known);
    }

    /** A sign-in with the passkey that is registered in the same transaction. */
    static SignIn of(CeremonyCommit.Registration registration, Authenticators known) {
        CredentialRecord passkey = registration.credential();
        Instant at = passkey.details().createdAt();
        if (at == null) {
            throw new IllegalArgumentException("a new passkey has a registration time");
        }
        return new SignIn(passkey, at, isTrue(passkey.flags().userVerified()), isTrue(passkey.backupEligible()), known);
    }

    private static boolean isTrue(@Nullable Boolean flag) {
        return Boolean.TRUE.equals(flag);
    }

    /** The owner of the stored passkey. */
    public String userId() {
        return passkey.userId();
    }

    /** The passkey, as it was stored before this use. */
    public CredentialRecord passkey() {
        return passkey;
    }

    /** The time of the sign-in. */
    public Instant at() {
        return at;
    }

    /** How the user signed in, as in the claim {@code amr} (RFC 8176): the kind of key, presence, and a second factor. */
    public List<String> methods() {
        return userVerified ? List.of(key, "user", "mfa") : List.of(key, "user");
    }

    /** A flag of the authenticator does not show that a key is in hardware. */
    private static String keyMethod(boolean backupEligible, boolean hardware) {
        return backupEligible ? "swk" : hardware ? HARDWARE_KEY : "pop";
    }

    /** The claim {@code acr} for these methods: OpenID's values for phishing-resistant authentication. */
    public static String contextClass(List<String> methods) {
        return methods.contains(HARDWARE_KEY) ? "phrh" : "phr";
    }
}
