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

/** Attestation statements that do not say what their format says they must. No certificates here. */
final class AttestationMutations extends MutationTable {
    AttestationMutations() {
        in(REGISTRATION, "7.1.18", "T37");
        none("format-unknown", "names a format nobody knows", it -> it.format("porch"));
        none("format-in-capitals", "writes the format in capitals", it -> it.format("NONE"));
        none("format-empty", "names no format", it -> it.format(""));
        attester(
                "format-retired",
                "uses Android's retired format",
                subject -> new Statement("android-safetynet", "ver", "1", "response", Octets.utf8("a.b.c")));

        in(REGISTRATION, "7.1.19", "T37");
        none("none-with-a-statement", "attests nothing, but with a signature", it -> it.put("sig", Octets.of(1)));
        none("packed-with-an-empty-statement", "says packed and nothing more", it -> it.format("packed"));

        in(REGISTRATION, "7.1.19", "T37", Precondition.ATTESTATION_TRUSTED);
        self(
                "self-for-another-algorithm",
                "signs itself, with an algorithm that is not the key's",
                it -> it.put("alg", -257));
        self(
                "self-for-a-neighbour-algorithm",
                "does the same with an algorithm of the same family",
                it -> it.put("alg", -35));
        self("self-without-algorithm", "signs itself and does not say with what algorithm", it -> it.remove("alg"));
        self("self-without-signature", "signs itself without a signature", it -> it.remove("sig"));
        self(
                "self-with-no-certificates",
                "signs itself and has an empty list of certificates",
                it -> it.put("x5c", List.of()));
        self("self-with-an-ecdaa-key", "claims ECDAA, which Level 2 dropped", it -> it.put("ecdaaKeyId", Octets.of(1)));
        self("self-signature-in-text", "has a text for the signature", it -> it.put("sig", "AAAA"));
        self("self-signature-empty", "has an empty signature", it -> it.put("sig", new byte[0]));
        self("self-signature-one-bit-off", "signs itself with one bit wrong", MutationTable::flipSignature);
        signed(
                "self-signed-by-another",
                "is signed by another key than its own",
                it -> KeyAlgorithm.ES256.generate(new SecureRandom()).sign(it.signedOctets()));
        signed(
                "self-signed-without-client-data",
                "signs itself without the client data",
                it -> it.key().sign(Octets.head(it.signedOctets(), 37)));
    }

    private void none(String name, String sentence, Consumer<Statement> change) {
        statement(name, sentence, Attester.NONE, change);
    }

    private void signed(String name, String sentence, Function<Subject, byte[]> signature) {
        attester(
                name, sentence, subject -> PackedAttester.self().attest(subject).put("sig", signature.apply(subject)));
    }

    private void self(String name, String sentence, Consumer<Statement> change) {
        statement(name, sentence, PackedAttester.self(), change);
    }
}
