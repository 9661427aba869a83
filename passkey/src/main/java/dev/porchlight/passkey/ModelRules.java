// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.attestation.AttestationVerifier;
import dev.porchlight.passkey.attestation.AuthenticatorRules;
import dev.porchlight.passkey.attestation.Certificates;
import dev.porchlight.passkey.attestation.TrustAnchors;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.metadata.AuthenticatorModel;
import dev.porchlight.passkey.metadata.AuthenticatorPolicy.SignIn;
import dev.porchlight.passkey.metadata.Authenticators;
import java.security.Provider;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Applies the policy for authenticators with the metadata of the moment. Thread-safe. */
record ModelRules(Authenticators authenticators) implements AuthenticatorRules {

    AttestationVerifier attestations(PasskeyConfig config, @Nullable Provider provider) {
        return new AttestationVerifier(
                config.attestationPolicy(), new TrustAnchors(config.trustAnchors()), this, provider);
    }

    @Override
    public TrustAnchors anchors(Bytes aaguid, Optional<X509Certificate> u2f, Instant at) {
        return find(AttestedCredential.uuid(aaguid), u2f)
                .filter(model -> model.compromise(day(at)).isEmpty())
                .map(ModelRules::anchors)
                .orElse(TrustAnchors.NONE);
    }

    @Override
    public Optional<String> refusal(Bytes aaguid, Optional<X509Certificate> u2f, Instant at) {
        String text = AttestedCredential.uuid(aaguid);
        return authenticators.policy().refusal(text, find(text, u2f), day(at));
    }

    @Override
    public Optional<String> suspicion(@Nullable String aaguid, Instant at) {
        return aaguid == null || authenticators.policy().signIn() == SignIn.ACCEPT
                ? Optional.empty()
                : authenticators.policy().suspicion(aaguid, authenticators.find(aaguid), day(at));
    }

    @Override
    public boolean refusesSuspicious() {
        return authenticators.policy().signIn() == SignIn.REFUSE;
    }

    private Optional<AuthenticatorModel> find(String aaguid, Optional<X509Certificate> u2f) {
        return authenticators.metadata().get().flatMap(blob -> blob.find(aaguid, u2f));
    }

    private static LocalDate day(Instant at) {
        return LocalDate.ofInstant(at, ZoneOffset.UTC);
    }

    /** The certificates that attest a model. One that cannot be read is left out: it attests nothing. */
    private static TrustAnchors anchors(AuthenticatorModel model) {
        var anchors = new HashSet<X509Certificate>();
        for (Bytes root : model.roots()) {
            try {
                anchors.addAll(Certificates.read(List.of(root)));
            } catch (CertificateException e) {
                // the others may work
            }
        }
        return new TrustAnchors(anchors);
    }
}
