// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.StoredChallenge;
import dev.porchlight.passkey.verify.RelyingParty;
import dev.porchlight.passkey.verify.SignCountPolicy;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.UserVerification;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a response is judged against: at first the configuration, and then what would have let it pass, so that the steps
 * behind the first that refused can be judged too.
 *
 * @param challenge what is taken for the challenge that was given out
 * @param stored what is taken for the passkey's row
 */
record Terms(
        RelyingParty party,
        StoredChallenge challenge,
        @Nullable CredentialRecord stored) {
    static Terms of(PasskeyConfig config, String challenge, @Nullable CredentialRecord stored) {
        Set<String> origins = new HashSet<>(config.relatedOrigins());
        origins.add(config.origin());
        var party = new RelyingParty(
                config.rpId(), origins, config.topOrigins(), config.userVerification(), config.signCountPolicy());
        return new Terms(party, new StoredChallenge(challenge, Long.MAX_VALUE), stored);
    }

    /** Terms under which the step passes; null if that cannot be had by terms. */
    @Nullable
    Terms forgiving(Step step, CollectedClientData client) {
        return switch (step) {
            case ORIGIN_MISMATCH ->
                with(
                        and(party.origins(), client.origin(), stored == null ? null : stored.origin()),
                        party.topOrigins(),
                        party.userVerification(),
                        party.signCountPolicy());
            case CROSS_ORIGIN, TOP_ORIGIN ->
                client.topOrigin() == null
                        ? null
                        : with(
                                party.origins(),
                                and(party.topOrigins(), client.topOrigin(), null),
                                party.userVerification(),
                                party.signCountPolicy());
            case CHALLENGE_NOT_FOUND ->
                new Terms(party, new StoredChallenge(client.challenge(), Long.MAX_VALUE), stored);
            case USER_NOT_VERIFIED ->
                new Terms(
                        with(party.origins(), party.topOrigins(), UserVerification.PREFERRED, party.signCountPolicy())
                                .party(),
                        challenge,
                        stored == null ? null : withoutDemand(stored));
            case SIGN_COUNT ->
                with(party.origins(), party.topOrigins(), party.userVerification(), SignCountPolicy.FLAG);
            default -> null;
        };
    }

    private Terms with(
            Set<String> origins, Set<String> topOrigins, UserVerification verification, SignCountPolicy counts) {
        return new Terms(new RelyingParty(party.rpId(), origins, topOrigins, verification, counts), challenge, stored);
    }

    /** What the ceremony looks at, but for verification having been demanded when the passkey was made. */
    private static CredentialRecord withoutDemand(CredentialRecord stored) {
        return CredentialRecord.builder(
                        stored.credentialId(), stored.userId(), stored.publicKey(), stored.signCount(), stored.origin())
                .userHandle(stored.userHandle())
                .backup(stored.backupEligible(), stored.backedUp())
                .build();
    }

    private static Set<String> and(Set<String> all, @Nullable String one, @Nullable String other) {
        Set<String> more = new HashSet<>(all);
        if (one != null) {
            more.add(one);
        }
        if (other != null) {
            more.add(other);
        }
        return more;
    }
}
