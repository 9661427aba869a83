// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.cose.Es256Key;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.MalformedException;
import java.security.Provider;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges attestation: steps 18 to 21 and 24 of registration. Pure, without I/O and without a clock of its own;
 * thread-safe.
 *
 * <p>Step 18 finds the format, step 19 asks it whether the statement is sound, steps 20 and 21 ask the caller's anchors
 * whether it is trusted, and step 24 asks the policy what follows.
 */
public final class AttestationVerifier {
    private final AttestationPolicy policy;
    private final TrustAnchors anchors;
    private final PackedFormat packed;
    private final FidoU2fFormat fidoU2f;
    private final AndroidKeyFormat androidKey;
    private final TpmFormat tpm;

    /** A verifier that checks signatures with the provider the JDK prefers. */
    public AttestationVerifier(AttestationPolicy policy, TrustAnchors anchors) {
        this(policy, anchors, null);
    }

    /**
     * A verifier that checks signatures with a provider of the caller's choice, or the one the JDK prefers for null.
     */
    public AttestationVerifier(AttestationPolicy policy, TrustAnchors anchors, @Nullable Provider provider) {
        var signatures = new AttestationSignature(provider);
        this.policy = policy;
        this.anchors = anchors;
        this.packed = new PackedFormat(signatures);
        this.fidoU2f = new FidoU2fFormat(signatures);
        this.androidKey = new AndroidKeyFormat(signatures);
        this.tpm = new TpmFormat(signatures);
    }

    /**
     * Judges the attestation of a credential whose key was already found to be one for ES256.
     *
     * @param object the attestation object
     * @param credential the credential in its authenticator data
     * @param key that credential's public key
     * @param clientDataHash the SHA-256 of the client data as received
     * @param at when the ceremony takes place, for the validity of certificates
     */
    public AttestationResult verify(
            AttestationObject object, AttestedCredential credential, Es256Key key, Bytes clientDataHash, Instant at) {
        var format = AttestationFormat.of(object.format());
        if (format.isEmpty()) {
            return new AttestationResult.Refused(AttestationReason.FORMAT_UNKNOWN);
        }
        var statement = new Statement(object.statement(), object.authData(), credential, key, clientDataHash);
        try {
            Verdict verdict = judge(format.get(), statement);
            if (verdict instanceof Verdict.Sound sound) {
                return accept(format.get(), sound, credential.aaguid(), at);
            }
            return new AttestationResult.Refused(((Verdict.Unsound) verdict).reason());
        } catch (MalformedException e) {
            return malformed(AttestationReason.STATEMENT_MALFORMED, e);
        } catch (CertificateException e) {
            return malformed(AttestationReason.CERTIFICATE_MALFORMED, e);
        }
    }

    private Verdict judge(AttestationFormat format, Statement statement)
            throws MalformedException, CertificateException {
        return switch (format) {
            case NONE -> NoneFormat.judge(statement);
            case PACKED -> packed.judge(statement);
            case FIDO_U2F -> fidoU2f.judge(statement);
            case APPLE -> AppleFormat.judge(statement);
            case ANDROID_KEY -> androidKey.judge(statement);
            case TPM -> tpm.judge(statement);
            case ANDROID_SAFETYNET -> Verdict.unsound(AttestationReason.FORMAT_RETIRED);
        };
    }

    private AttestationResult accept(AttestationFormat format, Verdict.Sound sound, Bytes aaguid, Instant at) {
        var doubt = doubt(sound, at);
        var anchor = doubt.isPresent() ? Optional.<X509Certificate>empty() : anchors.reachedBy(sound.path(), at);
        if (doubt.isEmpty() && anchor.isEmpty()) {
            doubt = Optional.of(AttestationReason.CHAIN_UNTRUSTED);
        }
        if (doubt.isPresent() && policy == AttestationPolicy.REQUIRE_TRUSTED) {
            return new AttestationResult.Refused(doubt.get());
        }
        return new AttestationResult.Accepted(new Attestation(
                format,
                sound.type(),
                aaguid,
                doubt,
                sound.path().stream().map(Certificates::fingerprint).toList(),
                anchor.map(certificate -> certificate.getSubjectX500Principal().getName())));
    }

    /** Why the anchors need not even be asked. */
    private Optional<AttestationReason> doubt(Verdict.Sound sound, Instant at) {
        if (sound.doubt().isPresent()) {
            return sound.doubt();
        }
        if (policy == AttestationPolicy.NOT_REQUESTED) {
            return Optional.of(AttestationReason.NOT_REQUESTED);
        }
        return TrustAnchors.isValid(sound.path().get(0), at)
                ? Optional.empty()
                : Optional.of(AttestationReason.CERTIFICATE_EXPIRED);
    }

    private static AttestationResult malformed(AttestationReason reason, Exception cause) {
        return new AttestationResult.Refused(reason, reason.code() + ": " + cause.getMessage());
    }
}
