// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.tamper.CeremonyType.REGISTRATION;

import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.CertificateAuthority;
import dev.porchlight.testkit.attestation.CertificateDraft;
import dev.porchlight.testkit.attestation.Issuer;
import dev.porchlight.testkit.attestation.PackedAttester;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Mutations of packed attestation with certificates. */
final class CertificateMutations extends MutationTable {
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";

    CertificateMutations() {
        in(REGISTRATION, "7.1.19", "T37", Precondition.ATTESTATION_TRUSTED);
        packed("packed-signature-one-bit-off", "has one flipped bit in the signature", MutationTable::flipSignature);
        packed(
                "packed-for-another-algorithm",
                "states another algorithm than the certificate's",
                it -> it.put("alg", -257));
        packed("packed-without-signature", "has a certificate and no signature", it -> it.remove("sig"));
        certificate(
                "packed-certificate-of-another-key",
                "has a certificate for another key",
                it -> it.key(KeyAlgorithm.ES256.generate(new SecureRandom()).publicKey()));
        certificate("packed-certificate-of-version-1", "has a certificate of version 1", it -> it.version(1));
        certificate(
                "packed-certificate-of-an-authority", "has the certificate of an authority", it -> it.authority(true));
        certificate(
                "packed-certificate-without-constraints",
                "has a certificate without basic constraints",
                it -> it.without(BASIC_CONSTRAINTS));
        certificate(
                "packed-certificate-of-another-unit",
                "has another organizational unit",
                it -> it.subject("CH", "Porchlight testkit", "Marketing", "Soft authenticator"));
        certificate(
                "packed-certificate-of-another-model",
                "has another AAGUID in the certificate",
                it -> it.extension(PackedAttester.AAGUID_EXTENSION, false, Der.octets(Octets.filled(16, 7))));
        certificate(
                "packed-certificate-with-critical-model",
                "has the AAGUID in a critical extension",
                it -> it.extension(PackedAttester.AAGUID_EXTENSION, true, Der.octets(Octets.filled(16, 7))));
        packed(
                "packed-chain-reversed",
                "has the chain in reverse order",
                it -> chain(it, CertificateMutations::reversed));
        packed("packed-chain-empty", "has an empty chain", it -> chain(it, certificates -> List.of()));
        packed(
                "packed-chain-of-garbage",
                "has garbage for a certificate",
                it -> it.put("x5c", List.of(Octets.of(0x30, 0x01))));
        packed("packed-chain-of-text", "has a text string as certificate", it -> it.put("x5c", List.of("AAAA")));
        packed(
                "packed-chain-not-a-list",
                "has a certificate outside of a list",
                it -> chain(it).ifPresent(certificates -> it.put("x5c", certificates.get(0))));

        in(REGISTRATION, "7.1.21", "T37", Precondition.ATTESTATION_TRUSTED);
        attester("packed-by-an-impostor", "is certified by an untrusted authority", impostor());
        withRoot(
                "packed-by-an-impostor-with-its-root",
                "includes the root of the untrusted authority",
                CertificateAuthority.impostor());
        withRoot("packed-by-an-impostor-with-our-root", "includes the trusted root", CertificateAuthority.kit());
        certificate(
                "packed-certificate-expired",
                "has a certificate that has expired",
                it -> it.validUntil(Instant.parse("2021-01-01T00:00:00Z")));
        certificate(
                "packed-certificate-of-the-future",
                "has a certificate that is not yet valid",
                it -> it.validFrom(Instant.parse("2049-01-01T00:00:00Z")));
        packed(
                "packed-chain-broken",
                "leaves the intermediate certificate out",
                it -> chain(it, certificates -> certificates.subList(0, 1)));
    }

    private void packed(String name, String description, Consumer<Statement> change) {
        statement(name, description, new PackedAttester(Issuer.kit()), change);
    }

    private void certificate(String name, String description, Consumer<CertificateDraft> twist) {
        attester(name, description, new PackedAttester(Issuer.changed(twist)));
    }

    private void withRoot(String name, String description, CertificateAuthority root) {
        statement(
                name,
                description,
                impostor(),
                it -> chain(it, certificates -> {
                    List<Object> more = new ArrayList<>(certificates);
                    more.add(root.rootOctets());
                    return more;
                }));
    }

    private static Attester impostor() {
        return new PackedAttester(Issuer.impostor());
    }

    private static Optional<List<?>> chain(Statement statement) {
        return statement.members().get("x5c") instanceof List<?> list ? Optional.of(list) : Optional.empty();
    }

    private static void chain(Statement statement, UnaryOperator<List<?>> change) {
        chain(statement).ifPresent(certificates -> statement.put("x5c", change.apply(certificates)));
    }

    private static List<?> reversed(List<?> certificates) {
        List<Object> backwards = new ArrayList<>(certificates);
        Collections.reverse(backwards);
        return backwards;
    }
}
