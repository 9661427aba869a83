// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.porchlight.passkey.attestation.AttestationResult.Accepted;
import dev.porchlight.passkey.cose.CoseKey;
import dev.porchlight.passkey.cose.Es256Key;
import dev.porchlight.passkey.data.AttestationObject;
import dev.porchlight.passkey.data.AttestedCredential;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.data.Bytes;
import dev.porchlight.passkey.data.JsonObject;
import dev.porchlight.passkey.data.MalformedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The registrations that the WebAuthn specification itself lists, with every format of section 8. */
class W3cVectorsTest {
    private static final Path VECTORS =
            Path.of(System.getProperty("porchlight.root", "..")).resolve("../shared/vectors/w3c_registrations.jsonl");
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

    private static final Map<AttestationFormat, AttestationType> TYPES = Map.of(
            AttestationFormat.NONE, AttestationType.NONE,
            AttestationFormat.PACKED, AttestationType.BASIC,
            AttestationFormat.FIDO_U2F, AttestationType.BASIC,
            AttestationFormat.ANDROID_KEY, AttestationType.BASIC,
            AttestationFormat.TPM, AttestationType.ATT_CA,
            AttestationFormat.APPLE, AttestationType.ANON_CA);

    /** One line of the file, as far as attestation goes. */
    record Vector(String id, AttestationObject object, AttestedCredential credential, Bytes clientDataHash) {
        static Vector parse(String line) {
            try {
                JsonObject vector = JsonObject.parse(line, "vector");
                JsonObject response = vector.object("response").object("response");
                var object = AttestationObject.parse(response.bytes("attestationObject", 65_536));
                return new Vector(
                        vector.text("id"),
                        object,
                        AuthenticatorData.parse(object.authData()).attestedCredential(),
                        response.bytes("clientDataJSON", 65_536).sha256());
            } catch (MalformedException e) {
                throw new IllegalArgumentException(e);
            }
        }

        boolean isEs256() throws MalformedException {
            return CoseKey.read(credential.publicKey()).isEs256();
        }

        /** The credential's key; for other algorithms, which no packed certificate depends on, one of the specification's. */
        Es256Key key() throws MalformedException {
            return Es256Key.fromCose((isEs256() ? this : vectors().get(0)).credential.publicKey());
        }

        AttestationResult judge(AttestationPolicy policy, TrustAnchors anchors) throws MalformedException {
            return new AttestationVerifier(policy, anchors).verify(object, credential, key(), clientDataHash, AT);
        }

        @Override
        public String toString() {
            return id + " " + object.format();
        }
    }

    static List<Vector> vectors() {
        assumeTrue(Files.exists(VECTORS), () -> "vectors are not at " + VECTORS);
        try (Stream<String> lines = Files.lines(VECTORS)) {
            return lines.filter(line -> !line.isBlank()).map(Vector::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void every_statement_verifies_and_none_is_trusted_without_anchors(Vector vector) throws MalformedException {
        var accepted = (Accepted) vector.judge(AttestationPolicy.ACCEPT_UNTRUSTED, TrustAnchors.none());
        Attestation attestation = accepted.attestation();
        boolean self = attestation.format() == AttestationFormat.PACKED
                && vector.object.statement().size() == 2;

        assertThat(attestation.format().identifier()).isEqualTo(vector.object.format());
        assertThat(attestation.type()).isEqualTo(self ? AttestationType.SELF : TYPES.get(attestation.format()));
        assertThat(attestation.aaguid()).isEqualTo(vector.credential.aaguid());
        assertThat(attestation.trusted()).isFalse();
        assertThat(attestation.anchor()).isEmpty();
    }

    /** The file has no root, but the specification also allows the attestation certificate itself to be the acceptable one. */
    @ParameterizedTest
    @MethodSource("vectors")
    void those_with_a_certificate_are_trusted_when_it_is_an_anchor(Vector vector) throws Exception {
        if (vector.object.statement().get("x5c") == null) {
            return;
        }
        var statement = new Statement(
                vector.object.statement(), vector.object.authData(), vector.credential, vector.key(), Bytes.EMPTY);
        var result = vector.judge(AttestationPolicy.ACCEPT_UNTRUSTED, TrustAnchors.of(statement.x5c()));
        var doubt = ((Accepted) result).attestation().doubt();
        if (vector.object.format().equals("android-key")) {
            // This vector's description has two empty lists, which the working group has since called a mistake of its
            // generator (w3c/webauthn#2379): nobody says how the key came to be, so nobody can trust it.
            assertThat(doubt).contains(AttestationReason.KEY_NOT_IN_HARDWARE);
        } else {
            assertThat(doubt).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void keys_of_other_algorithms_than_es256_are_refused_before_their_attestation_is_looked_at(Vector vector)
            throws MalformedException {
        if (!vector.isEs256()) {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> Es256Key.fromCose(vector.credential.publicKey())))
                    .isInstanceOf(MalformedException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void no_statement_verifies_for_another_ceremony(Vector vector) throws MalformedException {
        if (vector.object.format().equals("none")) {
            return;
        }
        var elsewhere = new Vector(
                vector.id,
                vector.object,
                vector.credential,
                Bytes.ofUtf8("another ceremony").sha256());
        assertThat(elsewhere.judge(AttestationPolicy.ACCEPT_UNTRUSTED, TrustAnchors.none()))
                .isInstanceOf(AttestationResult.Refused.class);
    }

    @Test
    void the_file_has_every_format_of_section_8_but_the_retired_one() {
        assertThat(vectors())
                .extracting(vector -> vector.object.format())
                .contains("none", "packed", "fido-u2f", "apple", "android-key", "tpm");
    }
}
