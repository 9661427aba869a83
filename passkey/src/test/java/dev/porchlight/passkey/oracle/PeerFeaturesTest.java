// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.Extensions;
import dev.porchlight.passkey.TestDatabase;
import dev.porchlight.passkey.oracle.PeerFeatures.Feature;
import dev.porchlight.passkey.oracle.Trio.Verdicts;
import dev.porchlight.passkey.store.Migration;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.response.AuthenticatorData;
import dev.porchlight.testkit.response.Seam;
import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.Octets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm and extension output of this library and of the oracles, with the JDK's providers. */
@Tag("slow")
class PeerFeaturesTest {
    private static final String APP_ID = "https://login.example.com/app-id.json";
    private static HikariDataSource database;

    @BeforeAll
    static void start() {
        OraclesTest.removeNativeProvider();
        database = TestDatabase.SQLITE.fresh();
        Migration.run(database);
    }

    @AfterAll
    static void close() {
        database.close();
        OraclesTest.restoreNativeProvider();
    }

    static Stream<Feature> known() {
        return PeerFeatures.ALGORITHMS.stream().filter(Feature::ours);
    }

    static Stream<Feature> foreign() {
        return PeerFeatures.ALGORITHMS.stream().filter(it -> !it.ours());
    }

    private static Verdicts expected(Feature feature) {
        return new Verdicts(feature.ours(), feature.webauthn4j(), feature.yubico());
    }

    @Test
    void every_number_of_an_algorithm_is_listed() {
        assertThat(known().map(it -> (long) (int) it.value()))
                .containsExactlyInAnyOrderElementsOf(Stream.of(CredentialAlgorithm.values())
                        .filter(it -> !it.jcaName().equals("ML-DSA")) // no released library has it
                        .flatMap(it -> it.numbers().stream())
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("known")
    void libraries_that_know_an_algorithm_accept_its_passkeys(Feature feature) {
        int number = (int) feature.value();
        assertThat(new Trio(database, number).run(number, Seams.UNCHANGED)).containsOnly(expected(feature));
    }

    /** The authenticator has a similar key, and claims and uses the other algorithm. */
    @ParameterizedTest
    @MethodSource("foreign")
    void algorithms_that_only_others_know_are_refused_here(Feature feature) throws GeneralSecurityException {
        int number = (int) feature.value();
        var trio = new Trio(
                database, number == -9 ? -7 : number == -53 ? -8 : number == -38 || number == -39 ? -37 : -257);
        assertThat(trio.run(number, claiming(number))).containsOnly(expected(feature));
    }

    private static Seams claiming(int number) throws GeneralSecurityException {
        KeyPair ed448 = KeyPairGenerator.getInstance("Ed448").generateKeyPair();
        byte[] point = Octets.tail(ed448.getPublic().getEncoded(), 12);
        var signed = new AtomicReference<byte[]>();
        return Seams.UNCHANGED
                .edit(Seam.AUTHENTICATOR_DATA, data -> {
                    if (number == -53) {
                        data.key = Cbor.map(1, 1, 3, number, -1, 7, -2, point);
                    }
                    data.key.put(3, number);
                })
                .edit(Seam.SIGNING, it -> {
                    PrivateKey own = number == -53 ? ed448.getPrivate() : it.key.privateKey();
                    signed.set(sign(number, own, it.message));
                })
                .swap(Seam.SIGNATURE, own -> signed.get());
    }

    private static byte[] sign(int number, PrivateKey key, byte[] message) {
        try {
            Signature signature = Signature.getInstance(
                    switch (number) {
                        case -9 -> "SHA256withECDSA";
                        case -53 -> "Ed448";
                        case -258 -> "SHA384withRSA";
                        case -259 -> "SHA512withRSA";
                        case -65535 -> "SHA1withRSA";
                        default -> "RSASSA-PSS";
                    });
            if (number == -38) {
                signature.setParameter(new PSSParameterSpec("SHA-384", "MGF1", MGF1ParameterSpec.SHA384, 48, 1));
            } else if (number == -39) {
                signature.setParameter(new PSSParameterSpec("SHA-512", "MGF1", MGF1ParameterSpec.SHA512, 64, 1));
            }
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** No library accepts these, whatever it knows. */
    @ParameterizedTest
    @MethodSource("known")
    void tampered_responses_of_every_algorithm_are_refused(Feature feature) {
        int number = (int) feature.value();
        Trio trio = new Trio(database, number);
        trio.run(number, Seams.UNCHANGED);
        for (String name : List.of(
                "signature-one-bit-off",
                "signature-empty",
                "signature-garbage",
                "signed-by-another-key",
                "signed-without-client-data",
                "signed-other-client-data",
                "client-data-changed-later",
                "authenticator-data-changed-later")) {
            assertThat(trio.send(Mutations.named(CeremonyType.AUTHENTICATION, name)))
                    .as(name)
                    .isEqualTo(new Verdicts(false, false, false));
        }
    }

    private static Extensions.Builder requested() {
        return Extensions.builder()
                .prf()
                .largeBlob(Extensions.LargeBlobSupport.REQUIRED)
                .credentialProtection(Extensions.CredentialProtection.REQUIRED, true)
                .minPinLength()
                .appId(APP_ID)
                .appIdExclude(APP_ID);
    }

    /** {@code uvm} is not requested: authenticators may add outputs, and nothing depends on them. */
    private static Seams withVerificationMethod() {
        return Seams.UNCHANGED.edit(Seam.AUTHENTICATOR_DATA, data -> {
            Map<Object, Object> extensions = new TreeMap<>();
            if (data.extensions instanceof Map<?, ?> others) {
                extensions.putAll(others);
            }
            extensions.put("uvm", List.of(List.of(2, 2, 2)));
            data.set(AuthenticatorData.EXTENDED).extensions = extensions;
        });
    }

    @Test
    void all_libraries_read_the_same_outputs_of_extensions() {
        Trio trio = new Trio(database, -7, requested().build(), AttestationFormat.NONE);
        assertThat(trio.register(withVerificationMethod())).isEqualTo(new Verdicts(true, true, true));
        assertOutputs(trio, PeerFeatures.CREATED);

        trio.requesting(requested().writeLargeBlob(new byte[] {1, 2, 3}).build());
        assertThat(trio.signIn(Seams.UNCHANGED)).isEqualTo(new Verdicts(true, true, true));
        assertOutputs(trio, PeerFeatures.WRITTEN);

        trio.requesting(requested().readLargeBlob().build());
        assertThat(trio.signIn(withVerificationMethod())).isEqualTo(new Verdicts(true, true, true));
        assertOutputs(trio, PeerFeatures.ASSERTED);
    }

    private static void assertOutputs(Trio trio, List<Feature> features) {
        assertThat(trio.outputs())
                .containsExactly(
                        PeerFeatures.of(features, Feature::ours),
                        PeerFeatures.of(features, Feature::webauthn4j),
                        PeerFeatures.of(features, Feature::yubico));
    }

    /**
     * Only a passkey of U2F may use the app id, and only if the client says that it did. webauthn4j does not verify the
     * extension; Yubico's library accepts the hash of a requested app id from every passkey.
     */
    @ParameterizedTest
    @CsvSource({"FIDO_U2F, true, true", "FIDO_U2F, false, false", "PACKED_SELF, true, false"})
    void the_app_id_is_for_passkeys_of_u2f(AttestationFormat format, boolean output, boolean accepted) {
        Trio trio = new Trio(database, -7, requested().build(), format);
        assertThat(trio.register(Seams.UNCHANGED)).isEqualTo(new Verdicts(true, true, true));
        Seams used = Seams.UNCHANGED
                .edit(Seam.AUTHENTICATOR_DATA, data -> data.rpIdHash = Octets.sha256(Octets.utf8(APP_ID)))
                .edit(Seam.ENVELOPE, it -> it.object("clientExtensionResults").put("appid", output));
        assertThat(trio.signIn(used)).isEqualTo(new Verdicts(accepted, false, true));
    }

    @Test
    void compound_attestation_is_known_here_only() {
        Trio trio = new Trio(database, -7, Extensions.NONE, AttestationFormat.COMPOUND);
        assertThat(trio.register(Seams.UNCHANGED)).isEqualTo(new Verdicts(true, false, false));
    }
}
