// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.tamper;

import static dev.porchlight.testkit.response.Seam.ENVELOPE;
import static dev.porchlight.testkit.response.Seam.SIGNATURE;
import static dev.porchlight.testkit.response.Seam.SIGNING;
import static dev.porchlight.testkit.tamper.CeremonyType.AUTHENTICATION;

import dev.porchlight.testkit.key.KeyAlgorithm;
import dev.porchlight.testkit.key.P256;
import dev.porchlight.testkit.response.Signing;
import dev.porchlight.testkit.wire.Der;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Mutations of the signature: other keys, other messages, other encodings. */
final class SignatureMutations extends MutationTable {
    SignatureMutations() {
        in(AUTHENTICATION, "7.2.20", "");
        signing(
                "signed-by-another-key",
                "is signed with another key",
                it -> it.key = KeyAlgorithm.ES256.generate(new SecureRandom()));
        signing(
                "signed-with-an-rsa-key",
                "is signed with an RSA key",
                it -> it.key = KeyAlgorithm.RS256.generate(new SecureRandom()));
        signing("signed-with-sha-1", "is signed over a SHA-1 hash", it -> it.algorithm = "SHA1withECDSA");
        signing("signed-with-sha-384", "is signed over a SHA-384 hash", it -> it.algorithm = "SHA384withECDSA");
        signing(
                "signed-without-authenticator-data",
                "signs the client data alone",
                it -> it.message = Octets.sha256(it.clientData));
        signing(
                "signed-without-client-data",
                "signs the authenticator data alone",
                it -> it.message = it.authenticatorData);
        signing(
                "signed-client-data-itself",
                "signs the client data instead of its hash",
                it -> it.message = Octets.join(it.authenticatorData, it.clientData));
        signing(
                "signed-in-the-wrong-order",
                "signs the client data hash first",
                it -> it.message = Octets.join(Octets.sha256(it.clientData), it.authenticatorData));
        signing(
                "signed-other-client-data",
                "signs client data that differs from the sent one",
                it -> it.message = Octets.join(it.authenticatorData, Octets.sha256(Octets.utf8("{}"))));
        changed(
                "client-data-changed-later",
                "has client data that was changed after signing",
                "clientDataJSON",
                it -> Octets.join(Octets.head(it, it.length - 1), Octets.utf8(" }")));
        changed(
                "authenticator-data-changed-later",
                "has a sign count that was raised after signing",
                "authenticatorData",
                it -> Octets.flip(it, 34, 0));
        changed(
                "user-verified-later",
                "has flags that were changed after signing",
                "authenticatorData",
                it -> Octets.flip(it, 32, 1));

        in(AUTHENTICATION, "7.2.20", "T29");
        octets("signature-empty", "is empty", it -> new byte[0]);
        octets("signature-garbage", "is garbage", it -> Octets.filled(70, 0x55));
        octets("signature-one-bit-off", "has one flipped bit in the signature", it -> Octets.flip(it, -1, 0));
        octets("signature-with-a-tail", "has a trailing octet", it -> Octets.join(it, Octets.of(0)));
        octets("signature-cut-short", "is truncated", it -> Octets.head(it, it.length - 1));
        octets("signature-of-64-kilobytes", "is a sequence of 40 kilobytes", it -> Der.sequence(new byte[40_000]));
        encoded("signature-in-raw-form", "is r and s concatenated", EcdsaNumbers::raw);
        octets(
                "signature-length-not-shortest",
                "has its length in two octets",
                it -> Octets.join(Octets.of(0x30, 0x81), Octets.tail(it, 1)));
        octets(
                "signature-of-indefinite-length",
                "has an indefinite length",
                it -> Octets.join(Octets.of(0x30, 0x80), Octets.tail(it, 2), Octets.of(0, 0)));
        encoded("signature-with-a-padded-integer", "has a superfluous zero before s", it -> {
            byte[] s = it.withLargeS().s().toByteArray();
            return Der.sequence(Der.integer(it.r()), Der.element(2, Octets.of(0), s));
        });
        encoded("signature-with-a-negative-integer", "leaves out the zero that keeps s positive", it -> {
            byte[] s = Octets.fixed(it.withLargeS().s(), 32);
            return Der.sequence(Der.integer(it.r()), Der.element(2, s));
        });
        encoded(
                "signature-of-three-integers",
                "has a third integer",
                it -> Der.sequence(Der.integer(it.r()), Der.integer(it.s()), Der.integer(0)));
        encoded(
                "signature-in-octet-strings",
                "has octet strings for integers",
                it -> Der.sequence(
                        Der.octets(it.r().toByteArray()), Der.octets(it.s().toByteArray())));

        in(AUTHENTICATION, "7.2.20", "T28");
        numbers("signature-of-zeros", "has zero for r and s", it -> new EcdsaNumbers(BigInteger.ZERO, BigInteger.ZERO));
        numbers("signature-r-zero", "has zero for r", it -> it.withR(BigInteger.ZERO));
        numbers("signature-s-zero", "has zero for s", it -> it.withS(BigInteger.ZERO));
        numbers("signature-r-is-the-order", "has the order of the group for r", it -> it.withR(P256.N));
        numbers("signature-s-is-the-order", "has the order of the group for s", it -> it.withS(P256.N));
        numbers(
                "signature-r-beyond-the-order",
                "adds the order to r",
                it -> it.withR(it.r().add(P256.N)));
        numbers(
                "signature-s-beyond-the-order",
                "adds the order to s",
                it -> it.withS(it.s().add(P256.N)));
        numbers("signature-s-negated", "has minus s", it -> it.withS(it.s().negate()));

        in(AUTHENTICATION, "7.2.20", "T30");
        valid(
                "signature-malleated",
                "is (r, n-s), which is also valid",
                swap(SIGNATURE, it -> EcdsaNumbers.read(it).twin().der()));
    }

    private void signing(String name, String description, Consumer<Signing> change) {
        invalid(name, description, edit(SIGNING, change));
    }

    private void octets(String name, String description, UnaryOperator<byte[]> change) {
        invalid(name, description, swap(SIGNATURE, change));
    }

    private void numbers(String name, String description, UnaryOperator<EcdsaNumbers> change) {
        encoded(name, description, it -> change.apply(it).der());
    }

    private void encoded(String name, String description, Function<EcdsaNumbers, byte[]> write) {
        invalid(name, description, swap(SIGNATURE, it -> write.apply(EcdsaNumbers.read(it))));
    }

    private void changed(String name, String description, String member, UnaryOperator<byte[]> change) {
        invalid(name, description, edit(ENVELOPE, it -> {
            JsonObject response = it.object("response");
            response.put(member, Octets.base64Url(change.apply(response.octets(member))));
        }));
    }
}
