// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.testkit.AttestationFormat;
import dev.porchlight.testkit.Counting;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftAuthenticatorBuilder;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.attestation.Statement;
import dev.porchlight.testkit.response.AuthenticatorData;
import dev.porchlight.testkit.response.Seam;
import dev.porchlight.testkit.response.Seams;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The responses of platforms and browsers, as published in the tests of other libraries: the text of their client data, the
 * members that they send, their flags and ids, and their attestation.
 */
class PlatformResponsesTest {
    private static final String APP = "android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU";
    private static final String CHROME =
            "{'type':'TYPE','challenge':'CHALLENGE','origin':'https://example.com','crossOrigin':false}";
    private static final String SAFARI = "{'type':'TYPE','challenge':'CHALLENGE','origin':'https://example.com'}";

    /** What a platform sends. The client data is in single quotes. */
    private enum Platform {
        CHROME_WITH_WINDOWS_HELLO(CHROME, AttestationFormat.TPM) {
            @Override
            SoftAuthenticatorBuilder authenticator() {
                return platform("08987058-cadc-4b81-b6e1-30de50dcbe96", "internal")
                        .algorithms(-257)
                        .counting(Counting.PER_PASSKEY);
            }
        },
        /** Chrome adds the member to one response in some, so that no relying party compares the text. */
        CHROME_WITH_SECURITY_KEY(
                CHROME.replace(
                        "}",
                        ",'other_keys_can_be_added_here':'do not compare clientDataJSON against a template. See"
                                + " https://goo.gl/yabPex'}"),
                AttestationFormat.PACKED) {
            @Override
            SoftAuthenticatorBuilder authenticator() {
                return SoftAuthenticator.builder()
                        .aaguid(UUID.fromString("2fc0579f-8113-47ea-b116-bb5a8db9202a"))
                        .transports("nfc", "usb")
                        .credentialIdLength(48);
            }
        },
        /** Keys with CTAP 1 verify no user, have no model, and return no user handle. */
        FIREFOX_WITH_U2F_KEY(
                "{'challenge':'CHALLENGE','clientExtensions':{},'hashAlgorithm':'SHA-256',"
                        + "'origin':'https://example.com','type':'TYPE'}",
                AttestationFormat.FIDO_U2F) {
            @Override
            SoftAuthenticatorBuilder authenticator() {
                return SoftAuthenticator.builder()
                        .transports("usb")
                        .userVerified(false)
                        .credentialIdLength(64);
            }

            @Override
            Seams seams() {
                return super.seams().edit(Seam.ENVELOPE, it -> {
                    if (it.object("response").has("signature")) {
                        it.object("response").put("userHandle", null);
                    }
                });
            }
        },
        EDGE_BEFORE_CHROMIUM(
                "{\n\t'type' : 'TYPE',\n\t'challenge' : 'CHALLENGE',\n\t'origin' : 'https://example.com',\n"
                        + "\t'tokenBinding' : \n\t{\n\t\t'status' : 'supported'\n\t}\n}",
                AttestationFormat.NONE) {
            @Override
            SoftAuthenticatorBuilder authenticator() {
                return platform("00000000-0000-0000-0000-000000000000", "internal");
            }
        },
        /** The slashes are escaped, and the authenticator adds an extension that was not requested. */
        CHROME_ON_ANDROID(
                "{'type':'TYPE','challenge':'CHALLENGE','origin':'https:\\/\\/example.com',"
                        + "'androidPackageName':'com.android.chrome'}",
                AttestationFormat.ANDROID_KEY) {
            @Override
            SoftAuthenticatorBuilder authenticator() {
                return platform("b93fd961-f2e6-462f-b122-82002247de78", "internal");
            }

            @Override
            Seams seams() {
                return super.seams()
                        .edit(
                                Seam.AUTHENTICATOR_DATA,
                                data -> data.set(AuthenticatorData.EXTENDED).extensions =
                                        Cbor.map("devicePubKey", new byte[77]));
            }
        },
        /** Google Password Manager in an app. */
        ANDROID_APP(
                "{'type':'TYPE','challenge':'CHALLENGE','origin':'" + APP + "','androidPackageName':'com.example.app'}",
                AttestationFormat.NONE) {
            @Override
            SoftAuthenticatorBuilder authenticator() {
                return synced("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4").credentialIdLength(16);
            }
        },
        SAFARI_WITH_ICLOUD_KEYCHAIN(SAFARI, AttestationFormat.NONE) {
            @Override
            SoftAuthenticatorBuilder authenticator() {
                return synced("fbfc3007-154e-4ecc-8c0b-6e020557d7bd").credentialIdLength(20);
            }
        },
        /** Before iOS 16 passkeys stayed on the device, and were attested. */
        SAFARI_BEFORE_ICLOUD_KEYCHAIN(SAFARI, AttestationFormat.APPLE) {
            @Override
            SoftAuthenticatorBuilder authenticator() {
                return platform("00000000-0000-0000-0000-000000000000", "internal")
                        .credentialIdLength(20);
            }
        },
        /** The app builds the response from bytes, without the members that are optional in Level 2. */
        IOS_APP(SAFARI, AttestationFormat.NONE) {
            @Override
            SoftAuthenticatorBuilder authenticator() {
                return synced("fbfc3007-154e-4ecc-8c0b-6e020557d7bd").credentialIdLength(20);
            }

            @Override
            Seams seams() {
                return super.seams().edit(Seam.ENVELOPE, response -> {
                    response.remove("authenticatorAttachment");
                    Stream.of("authenticatorData", "transports", "publicKey", "publicKeyAlgorithm")
                            .filter(it -> response.object("response").has("attestationObject"))
                            .forEach(response.object("response")::remove);
                });
            }
        };

        private final String clientData;
        private final AttestationFormat attestation;

        Platform(String clientData, AttestationFormat attestation) {
            this.clientData = clientData.replace('\'', '"');
            this.attestation = attestation;
        }

        abstract SoftAuthenticatorBuilder authenticator();

        SoftBrowser browser() {
            return Stage.browser(authenticator().attestation(attestation).build());
        }

        Seams seams() {
            return Seams.UNCHANGED.swap(Seam.CLIENT_DATA_OCTETS, octets -> {
                JsonObject collected = JsonObject.parse(new String(octets, StandardCharsets.UTF_8));
                return Octets.utf8(clientData
                        .replace("TYPE", collected.string("type"))
                        .replace("CHALLENGE", collected.string("challenge")));
            });
        }

        private static SoftAuthenticatorBuilder platform(String aaguid, String... transports) {
            return SoftAuthenticator.builder()
                    .attachment("platform")
                    .aaguid(UUID.fromString(aaguid))
                    .transports(transports)
                    .counting(Counting.NOT_AT_ALL);
        }

        private static SoftAuthenticatorBuilder synced(String aaguid) {
            return platform(aaguid, "hybrid", "internal").backup(true, true);
        }
    }

    private final Stage stage = open(Set.of(APP));

    private static Stage open(Set<String> apps) {
        return Stage.on(TestDatabase.SQLITE)
                .configure(config -> config.relatedOrigins(apps)
                        .algorithms(List.of(CredentialAlgorithm.ES256, CredentialAlgorithm.RS256))
                        .attestation(AttestationPolicy.ACCEPT_UNTRUSTED, List.of(SoftAuthenticator.attestationRoot())));
    }

    private static Mutation shape(Seams seams) {
        return new Mutation(CeremonyType.REGISTRATION, "platform", "is real", "7.1", true, Set.of(), seams);
    }

    private static RegistrationResult register(Stage stage, SoftBrowser browser, Seams seams) {
        String options = stage.service.startRegistration("alice").toJson();
        return stage.service.finishRegistration("alice", browser.create(options, shape(seams)));
    }

    private static AuthenticationResult signIn(Stage stage, SoftBrowser browser, Seams seams) {
        String options = stage.service.startAuthentication("alice").toJson();
        return stage.service.finishAuthentication("alice", browser.get(options, shape(seams)));
    }

    @ParameterizedTest
    @EnumSource
    void passkeys_of_each_platform_register_and_sign_in(Platform platform) {
        SoftBrowser browser = platform.browser();
        var registered = register(stage, browser, platform.seams());
        assertThat(registered).isInstanceOf(RegistrationResult.Registered.class);
        assertThat(signIn(stage, browser, platform.seams()).verified()).isTrue();
        assertThat(signIn(stage, browser, platform.seams()).verified()).isTrue();

        boolean attested = platform.attestation != AttestationFormat.NONE;
        boolean synced = Set.of(Platform.ANDROID_APP, Platform.SAFARI_WITH_ICLOUD_KEYCHAIN, Platform.IOS_APP)
                .contains(platform);
        CredentialRecord passkey = stage.passkeys("alice").get(0);
        assertThat(passkey.origin()).isEqualTo(platform == Platform.ANDROID_APP ? APP : Stage.ORIGIN);
        assertThat(passkey.flags().backupEligible()).isEqualTo(synced);
        assertThat(passkey.flags().backedUp()).isEqualTo(synced);
        assertThat(passkey.flags().userVerified()).isEqualTo(platform != Platform.FIREFOX_WITH_U2F_KEY);
        assertThat(passkey.authenticator().transports().isEmpty()).isEqualTo(platform == Platform.IOS_APP);
        assertThat(passkey.authenticator().attestationFormat())
                .isEqualTo(platform.attestation.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        assertThat(passkey.authenticator().attestationTrust()).isEqualTo(attested ? "trusted" : "not_attested");
    }

    @Test
    void T25_an_app_is_refused_unless_its_origin_is_listed() {
        Stage closed = open(Set.of());
        SoftBrowser phone = Platform.ANDROID_APP.browser();
        var refused = (RegistrationResult.Refused) register(closed, phone, Platform.ANDROID_APP.seams());
        assertThat(refused.step()).isEqualTo(Step.ORIGIN);

        register(closed, phone, Platform.SAFARI_WITH_ICLOUD_KEYCHAIN.seams());
        assertRefused(signIn(closed, phone, Platform.ANDROID_APP.seams()), Step.ORIGIN);
    }

    /** The phone's passkey is used at a desktop, whose browser reports another attachment than at registration. */
    @Test
    void a_passkey_of_a_phone_signs_in_over_hybrid() {
        SoftBrowser phone = Platform.SAFARI_WITH_ICLOUD_KEYCHAIN.browser();
        register(stage, phone, Platform.SAFARI_WITH_ICLOUD_KEYCHAIN.seams());
        Seams desktop = Platform.CHROME_WITH_SECURITY_KEY
                .seams()
                .edit(Seam.ENVELOPE, it -> it.put("authenticatorAttachment", "cross-platform"));
        assertThat(signIn(stage, phone, desktop).verified()).isTrue();
    }

    /** Android's old format is refused by its name, also if no attestation was requested: no genuine one is new. */
    @Test
    void android_safetynet_is_refused() {
        Seams retired = Platform.CHROME_ON_ANDROID
                .seams()
                .swap(
                        Seam.ATTESTER,
                        any -> subject -> new Statement(
                                "android-safetynet", "ver", "212116028", "response", Octets.utf8("e30.e30.AA")));
        for (Stage any : List.of(stage, Stage.on(TestDatabase.SQLITE))) {
            var refused = (RegistrationResult.Refused) register(any, Platform.CHROME_ON_ANDROID.browser(), retired);
            assertThat(refused.step()).isEqualTo(Step.ATTESTATION_FORMAT);
            assertThat(refused.detail()).contains("format_retired");
        }
    }

    /** The specification's examples of platform attestation, whose roots are unknown. */
    @TestFactory
    Stream<DynamicTest> attestation_of_the_specification_is_accepted_as_untrusted() {
        Map<String, String> expected = Map.of(
                "tpm", "chain_untrusted",
                "android-key", "key_not_in_hardware",
                "apple", "chain_untrusted",
                "fido-u2f", "aaguid_not_attested");
        List<JsonNode> examples = Vectors.read("w3c_registrations.jsonl").stream()
                .filter(it -> expected.containsKey(it.get("fmt").asText()))
                .toList();
        assertThat(examples).extracting(it -> it.get("fmt").asText()).containsAll(expected.keySet());
        return examples.stream()
                .map(example -> DynamicTest.dynamicTest(example.get("fmt").asText(), () -> {
                    var challenges = new MemoryChallengeStore();
                    var config = PasskeyConfig.builder("Example", "example.org", "https://example.org")
                            .attestation(AttestationPolicy.ACCEPT_UNTRUSTED, List.of())
                            .build();
                    var service = new PasskeyService(config, stage.database, challenges);
                    String user = example.get("id").asText();
                    challenges.setChallenge(user, example.get("challenge").asText(), Long.MAX_VALUE);
                    var result = (RegistrationResult.Registered) service.finishRegistration(
                            user, example.get("response").toString());
                    assertThat(result.credential().authenticator().attestationTrust())
                            .isEqualTo(expected.get(example.get("fmt").asText()));
                }));
    }
}
