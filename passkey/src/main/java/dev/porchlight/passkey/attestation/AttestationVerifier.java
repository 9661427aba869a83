// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.AttestationPolicy;
import dev.porchlight.passkey.cose.CredentialPublicKey;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AttestedCredential;
import java.security.Provider;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Verifies attestation: steps 18 to 21 and 24 of registration. Does no I/O and reads no clock. Thread-safe.
 *
 * <p>Step 18 finds the format, step 19 verifies the statement, steps 20 and 21 search a path to a trust anchor, and step 24
 * applies the policy.
 */
public final class AttestationVerifier {
    private final AttestationPolicy policy;
    private final TrustAnchors anchors;
    private final AuthenticatorRules rules;
    private final AttestationSignature signatures;

    /** Creates a verifier that uses this provider, or the JDK's preferred one if it is null. */
    public AttestationVerifier(AttestationPolicy policy, TrustAnchors anchors, @Nullable Provider provider) {
        this(policy, anchors, AuthenticatorRules.NONE, provider);
    }

    /** Creates a verifier that also applies rules for models of authenticators. */
    public AttestationVerifier(
            AttestationPolicy policy, TrustAnchors anchors, AuthenticatorRules rules, @Nullable Provider provider) {
        this.policy = policy;
        this.anchors = anchors;
        this.rules = rules;
        this.signatures = new AttestationSignature(provider);
    }

    /**
     * Verifies the attestation of a credential whose key is valid.
     *
     * @param object the attestation object
     * @param credential the credential in its authenticator data
     * @param key that credential's public key
     * @param clientDataHash the SHA-256 of the client data as received
     * @param at the time of the ceremony, for the validity of certificates
     */
    public AttestationResult verify(
            AttestationObject object,
            AttestedCredential credential,
            CredentialPublicKey key,
            Bytes clientDataHash,
            Instant at) {
        try {
            // Every part of a compound statement must be valid.
            List<Part> parts = new ArrayList<>();
            for (AttestationObject part : object.parts().isEmpty() ? List.of(object) : object.parts()) {
                var statement = new Statement(part.statement(), part.authData(), credential, key, clientDataHash);
                AttestationFormat format = format(part);
                parts.add(new Part(format, verify(format, statement)));
            }
            return accept(format(object), parts, credential.aaguid(), at);
        } catch (InvalidStatementException e) {
            return new AttestationResult.Refused(e.reason);
        } catch (MalformedException e) {
            return malformed(AttestationReason.STATEMENT_MALFORMED, e);
        } catch (CertificateException e) {
            return malformed(AttestationReason.CERTIFICATE_MALFORMED, e);
        }
    }

    /** A valid statement with its format. */
    private record Part(AttestationFormat format, Evidence evidence) {
        /** Other formats sign an AAGUID, so their certificates must not select another model. */
        Optional<X509Certificate> u2f() {
            return format == AttestationFormat.FIDO_U2F
                    ? Optional.of(evidence.path().get(0))
                    : Optional.empty();
        }
    }

    private static AttestationFormat format(AttestationObject object) throws InvalidStatementException {
        return AttestationFormat.of(object.format())
                .orElseThrow(() -> new InvalidStatementException(AttestationReason.FORMAT_UNKNOWN));
    }

    private Evidence verify(AttestationFormat format, Statement statement)
            throws InvalidStatementException, MalformedException, CertificateException {
        return switch (format) {
            case NONE -> {
                InvalidStatementException.require(statement.members().isEmpty(), AttestationReason.STATEMENT_NOT_EMPTY);
                yield Evidence.doubtful(Attestation.Type.NONE, List.of(), AttestationReason.NOT_ATTESTED);
            }
            case PACKED -> PackedFormat.verify(statement, signatures);
            case FIDO_U2F -> FidoU2fFormat.verify(statement, signatures);
            case APPLE -> AppleFormat.verify(statement);
            case ANDROID_KEY -> AndroidKeyFormat.verify(statement, signatures);
            case TPM -> TpmFormat.verify(statement, signatures);
            case COMPOUND -> throw new InvalidStatementException(AttestationReason.STATEMENT_MALFORMED);
            case ANDROID_SAFETYNET -> throw new InvalidStatementException(AttestationReason.FORMAT_RETIRED);
        };
    }

    /** One trusted statement is enough: all are about the same credential. */
    private AttestationResult accept(AttestationFormat format, List<Part> parts, Bytes aaguid, Instant at)
            throws MalformedException, CertificateException {
        // The certificates of a model are read once for all statements about it.
        Map<Optional<X509Certificate>, TrustAnchors> models = new HashMap<>();
        Function<Part, TrustAnchors> ofModel =
                part -> models.computeIfAbsent(part.u2f(), u2f -> rules.anchors(aaguid, u2f, at));
        Part best = parts.get(0);
        Optional<AttestationReason> doubt = doubt(best, ofModel, at);
        for (int i = 1; i < parts.size() && doubt.isPresent(); i++) {
            if (doubt(parts.get(i), ofModel, at).isEmpty()) {
                best = parts.get(i);
                doubt = Optional.empty();
            }
        }
        if (doubt.isPresent() && policy == AttestationPolicy.REQUIRE_TRUSTED) {
            return new AttestationResult.Refused(doubt.get());
        }
        for (Part part : parts) {
            var refusal = rules.refusal(aaguid, part.u2f(), at);
            if (refusal.isPresent()) {
                return new AttestationResult.Refused(AttestationReason.AUTHENTICATOR_NOT_ALLOWED, refusal.get());
            }
        }
        return new AttestationResult.Accepted(
                new Attestation(format, best.evidence().type(), aaguid, doubt));
    }

    private Optional<AttestationReason> doubt(Part part, Function<Part, TrustAnchors> ofModel, Instant at)
            throws MalformedException, CertificateException {
        if (part.evidence().doubt().isPresent()) {
            return part.evidence().doubt();
        }
        if (policy == AttestationPolicy.NOT_REQUESTED) {
            return Optional.of(AttestationReason.NOT_REQUESTED);
        }
        List<X509Certificate> path = part.evidence().path();
        if (!Certificates.areWhole(path)) {
            return Optional.of(AttestationReason.CERTIFICATE_UNUSED_BITS);
        }
        if (!TrustAnchors.isValid(path.get(0), at)) {
            return Optional.of(AttestationReason.CERTIFICATE_EXPIRED);
        }
        boolean trusted = anchors.reachedBy(path, at) || ofModel.apply(part).reachedBy(path, at);
        return trusted ? Optional.empty() : Optional.of(AttestationReason.CHAIN_UNTRUSTED);
    }

    private static AttestationResult malformed(AttestationReason reason, Exception cause) {
        return new AttestationResult.Refused(reason, reason.code() + ": " + cause.getMessage());
    }
}
