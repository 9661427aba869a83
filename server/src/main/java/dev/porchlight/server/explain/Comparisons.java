// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import static dev.porchlight.server.explain.Shown.start;
import static dev.porchlight.server.explain.Shown.text;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.attestation.AttestationPolicy;
import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.AuthenticationResponse;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.CollectedClientData;
import dev.porchlight.passkey.data.RegistrationResponse;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.verify.Purpose;
import dev.porchlight.passkey.verify.SignCountPolicy;
import dev.porchlight.passkey.verify.Step;
import dev.porchlight.passkey.verify.UserVerification;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What each step expects of this deployment's users and what it found, in words. It judges nothing: whether the two go
 * together is for the ceremonies to say. For one thread.
 */
final class Comparisons {
    private final PasskeyConfig config;
    private final Map<Step, Comparison> all = new EnumMap<>(Step.class);

    Comparisons(PasskeyConfig config) {
        this.config = config;
        put(Step.MALFORMED_RESPONSE, "the JSON of a browser's credential", "");
        put(Step.MALFORMED_CLIENT_DATA, "JSON with a type, a challenge and an origin", "");
        long seconds = config.challengeTtl().toSeconds();
        put(Step.CHALLENGE_EXPIRED, "an answer within " + seconds + " seconds", "");
    }

    Comparison of(Step step) {
        return all.getOrDefault(step, Comparison.NONE);
    }

    /**
     * What the client data says.
     *
     * @param issued the challenge that was given out, if that is known
     */
    void client(
            CollectedClientData client, @Nullable String issued, Purpose purpose, @Nullable CredentialRecord stored) {
        boolean registration = purpose == Purpose.REGISTRATION;
        put(Step.TYPE_MISMATCH, registration ? "webauthn.create" : "webauthn.get", text(client.type()));
        var origins = new TreeSet<>(config.relatedOrigins());
        origins.add(config.origin());
        String elsewhere = stored == null || stored.origin().equals(client.origin())
                ? ""
                : "; the passkey was made on " + text(stored.origin());
        put(Step.ORIGIN_MISMATCH, Shown.oneOf(origins), text(client.origin()) + elsewhere);
        boolean framable = !config.topOrigins().isEmpty();
        put(
                Step.CROSS_ORIGIN,
                framable ? "a page by itself, or in a frame that is allowed" : "a page that no other origin frames",
                client.crossOrigin() ? "framed by another origin" : "not framed");
        String top = client.topOrigin();
        put(Step.TOP_ORIGIN, Shown.oneOf(config.topOrigins()), top == null ? "none" : text(top));
        put(
                Step.CHALLENGE_NOT_FOUND,
                issued == null ? "one that was given out, and not used before" : start(issued),
                start(client.challenge()));
        Purpose given = Purpose.of(client.challenge());
        put(Step.WRONG_CEREMONY, words(purpose), given == null ? "none of this service's" : words(given));
        boolean bound = client.tokenBinding() != null && client.tokenBinding().id() != null;
        put(Step.TOKEN_BINDING, "none", bound ? "one is claimed" : "none");
    }

    void login(
            AuthenticationResponse response,
            CollectedClientData client,
            @Nullable CredentialRecord stored,
            @Nullable String userId) {
        put(Step.CREDENTIAL_ID_MISMATCH, "id " + start(response.id()), "rawId " + start(response.rawId()));
        put(
                Step.UNKNOWN_CREDENTIAL,
                "a passkey that is registered",
                start(response.rawId()) + (stored == null ? ", which is not" : ", which is"));
        Bytes handle = response.userHandle();
        String presented = handle == null ? "none" : start(handle);
        put(
                Step.MALFORMED_AUTHENTICATOR_DATA,
                "flags, a count and no key",
                response.authenticatorData().size() + " bytes");
        put(Step.BAD_SIGNATURE, "that of the stored key", response.signature().size() + " bytes");
        AuthenticatorData data = read(() -> AuthenticatorData.parse(response.authenticatorData()));
        if (data != null) {
            authenticator(data, client, stored);
        }
        if (stored == null) {
            return;
        }
        put(Step.CREDENTIAL_OWNER_MISMATCH, userId == null ? "anybody" : text(userId), text(stored.userId()));
        String recorded = stored.userHandle();
        put(
                Step.USER_HANDLE_MISMATCH,
                (recorded == null ? "none is on record" : start(recorded)) + (userId == null ? "" : ", or none"),
                presented);
        put(Step.BAD_PUBLIC_KEY, "a P-256 key in the passkey's row", "");
        if (data != null) {
            boolean eligible = Boolean.TRUE.equals(stored.backupEligible());
            put(
                    Step.BACKUP_ELIGIBILITY_CHANGED,
                    eligible ? "BE set, as it was" : "BE set or not",
                    "BE " + set(data.backupEligible()));
            put(
                    Step.SIGN_COUNT,
                    stored.signCount() == 0
                            ? "0 or more"
                            : "more than " + stored.signCount() + otherwise(config.signCountPolicy(), stored, data),
                    Long.toString(data.signCount()));
        }
    }

    void registration(RegistrationResponse response, CollectedClientData client) {
        put(
                Step.MALFORMED_ATTESTATION,
                "CBOR with fmt, authData and attStmt",
                response.attestationObject().size() + " bytes");
        put(Step.MALFORMED_AUTHENTICATOR_DATA, "flags, a count and a key", "");
        put(Step.BAD_PUBLIC_KEY, "a point on P-256", "");
        put(Step.ATTESTATION_INVALID, "a statement that verifies", "");
        put(Step.CREDENTIAL_EXISTS, "an id that is not registered", start(response.rawId()));
        AttestationObject object = read(() -> AttestationObject.parse(response.attestationObject()));
        AuthenticatorData data = object == null ? null : read(() -> AuthenticatorData.parse(object.authData()));
        if (object != null) {
            put(Step.ATTESTATION_FORMAT, "a format that is known", text(object.format()));
        }
        if (data == null) {
            return;
        }
        put(
                Step.MALFORMED_AUTHENTICATOR_DATA,
                "flags, a count and a key",
                data.raw().size() + " bytes");
        authenticator(data, client, null);
        AttestedCredential credential = data.attestedCredential();
        if (credential != null) {
            put(
                    Step.CREDENTIAL_ID_MISMATCH,
                    "id and rawId " + start(credential.credentialId()),
                    "id " + start(response.id()) + ", rawId " + start(response.rawId()));
            put(
                    Step.ATTESTATION_UNTRUSTED,
                    config.attestationPolicy() == AttestationPolicy.REQUIRE_TRUSTED ? "a trusted make" : "any make",
                    "AAGUID " + credential.aaguidText());
            CoseKey key = read(() -> CoseKey.read(credential.publicKey()));
            put(Step.ALG_NOT_ALLOWED, CoseKey.ES256 + " (ES256)", key == null ? "" : Long.toString(key.algorithm()));
        }
    }

    /** How many passkeys the user has, where he may have only so many. */
    void room(int count) {
        put(Step.TOO_MANY_CREDENTIALS, "fewer than " + config.maxPasskeysPerUser(), Integer.toString(count));
    }

    private void authenticator(AuthenticatorData data, CollectedClientData client, @Nullable CredentialRecord stored) {
        put(Step.RP_ID_HASH_MISMATCH, "the hash of " + text(config.rpId()), RelyingPartyNames.of(data, config, client));
        put(Step.USER_NOT_PRESENT, "UP set", "UP " + set(data.userPresent()));
        boolean since = stored != null && Boolean.TRUE.equals(stored.verificationRequired());
        String demanded = config.userVerification() == UserVerification.REQUIRED
                ? "UV set"
                : since ? "UV set, as it had to be when the passkey was made" : "UV set or not";
        put(Step.USER_NOT_VERIFIED, demanded, "UV " + set(data.userVerified()));
        put(
                Step.BACKUP_STATE_INVALID,
                "BS only with BE",
                "BE " + set(data.backupEligible()) + ", BS " + set(data.backedUp()));
    }

    private void put(Step step, String expected, String found) {
        all.put(step, new Comparison(expected, found));
    }

    /** What the policy does with a count that does not grow. */
    private static String otherwise(SignCountPolicy policy, CredentialRecord stored, AuthenticatorData data) {
        return switch (policy) {
            case REJECT -> ", else it is refused";
            case FLAG -> ", else it is flagged";
            case AUTO ->
                policy.refuses(stored, data.backupEligible())
                        ? ", else it is refused (device-bound passkey)"
                        : ", else it is flagged (synced passkey)";
        };
    }

    private static String set(boolean flag) {
        return flag ? "set" : "not set";
    }

    private static String words(Purpose purpose) {
        return switch (purpose) {
            case REGISTRATION -> "a new passkey";
            case CONDITIONAL_REGISTRATION -> "a new passkey, made by the browser itself";
            case AUTHENTICATION -> "a sign-in by user name";
            case DISCOVERY -> "a sign-in without a user name";
        };
    }

    /** Null where the step that reads it refuses. */
    private static <T> @Nullable T read(Findings.Reading<T> reading) {
        try {
            return reading.read();
        } catch (MalformedException e) {
            return null;
        }
    }
}
