// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.tamper.CeremonyType.REGISTRATION;

import dev.porchlight.testkit.attestation.Attester;
import dev.porchlight.testkit.attestation.PackedAttester;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.attestation.Subject;
import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.wire.Octets;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Mutations of attestation statements without certificates. */
final class AttestationMutations extends MutationTable {
    AttestationMutations() {
        in(REGISTRATION, "7.1.18", "T37");
        none("format-unknown", "has an unknown format", it -> it.format("porch"));
        none("format-in-capitals", "writes the format in capitals", it -> it.format("NONE"));
        none("format-empty", "has an empty format", it -> it.format(""));
        attester(
                "format-retired",
                "uses Android's retired format",
                subject -> new Statement("android-safetynet", "ver", "1", "response", Octets.utf8("a.b.c")));

        in(REGISTRATION, "7.1.19", "T37");
        none("none-with-a-statement", "has format none with a signature", it -> it.put("sig", Octets.of(1)));
        none("packed-with-an-empty-statement", "has format packed and an empty statement", it -> it.format("packed"));

        in(REGISTRATION, "7.1.19", "T37", Precondition.ATTESTATION_TRUSTED);
        self("self-for-another-algorithm", "is self-signed and states another algorithm", it -> it.put("alg", -257));
        self(
                "self-for-a-neighbour-algorithm",
                "is self-signed and states another algorithm of the same family",
                it -> it.put("alg", -35));
        self("self-without-algorithm", "is self-signed and states no algorithm", it -> it.remove("alg"));
        self("self-without-signature", "is self-attested without a signature", it -> it.remove("sig"));
        self(
                "self-with-no-certificates",
                "is self-signed with an empty list of certificates",
                it -> it.put("x5c", List.of()));
        self("self-with-an-ecdaa-key", "claims ECDAA, which Level 2 dropped", it -> it.put("ecdaaKeyId", Octets.of(1)));
        self("self-signature-in-text", "has a text string as signature", it -> it.put("sig", "AAAA"));
        self("self-signature-empty", "has an empty signature", it -> it.put("sig", new byte[0]));
        self("self-signature-one-bit-off", "is self-signed with one flipped bit", MutationTable::flipSignature);
        signed(
                "self-signed-by-another",
                "is signed by another key",
                it -> KeyAlgorithm.ES256.generate(new SecureRandom()).sign(it.signedOctets()));
        signed(
                "self-signed-without-client-data",
                "is self-signed without the client data",
                it -> it.key().sign(Octets.head(it.signedOctets(), 37)));
    }

    private void none(String name, String description, Consumer<Statement> change) {
        statement(name, description, Attester.NONE, change);
    }

    private void signed(String name, String description, Function<Subject, byte[]> signature) {
        attester(
                name,
                description,
                subject -> PackedAttester.self().attest(subject).put("sig", signature.apply(subject)));
    }

    private void self(String name, String description, Consumer<Statement> change) {
        statement(name, description, PackedAttester.self(), change);
    }
}
