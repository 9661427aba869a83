// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.passkey.Extensions.CredentialProtection;
import dev.porchlight.passkey.Extensions.LargeBlobSupport;
import dev.porchlight.passkey.data.AuthenticatorData;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.Cbor;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requested extensions and their outputs. */
class ExtensionsTest {
    private static final Extensions ALL = Extensions.builder()
            .prf(new byte[] {1, 2, 3}, new byte[] {4})
            .largeBlob(LargeBlobSupport.PREFERRED)
            .readLargeBlob()
            .credentialProtection(CredentialProtection.REQUIRED, true)
            .minPinLength()
            .appId("https://example.com/appid.json")
            .appIdExclude("https://example.com/appid.json")
            .build();

    private Stage stage;
    private final SoftBrowser browser = Stage.browser();

    @BeforeEach
    void open() {
        stage = Stage.on(TestDatabase.SQLITE);
    }

    @Test
    void options_have_the_requested_extensions_of_their_ceremony() {
        assertThat(stage.service.requesting(ALL).startRegistration("alice").toJson())
                .contains("\"extensions\":{\"credProps\":true,\"appidExclude\":\"https://example.com/appid.json\","
                        + "\"credentialProtectionPolicy\":\"userVerificationRequired\","
                        + "\"enforceCredentialProtectionPolicy\":true,"
                        + "\"largeBlob\":{\"support\":\"preferred\"},\"minPinLength\":true,"
                        + "\"prf\":{\"eval\":{\"first\":\"AQID\",\"second\":\"BA\"}}}");
        assertThat(stage.service.requesting(ALL).startAuthentication("alice").toJson())
                .contains("\"extensions\":{\"appid\":\"https://example.com/appid.json\","
                        + "\"largeBlob\":{\"read\":true},"
                        + "\"prf\":{\"eval\":{\"first\":\"AQID\",\"second\":\"BA\"}}}");
        assertThat(stage.service.startAuthentication("alice").toJson()).doesNotContain("extensions");
    }

    @Test
    void configured_extensions_are_requested_unless_a_ceremony_has_its_own() {
        PasskeyConfig config = stage.config.toBuilder()
                .extensions(Extensions.of(List.of(
                        "credProps",
                        "prf",
                        "largeBlob=required",
                        "credProtect=userVerificationOptional",
                        "minPinLength")))
                .build();
        PasskeyService service = new PasskeyService(config, stage.database, new MemoryChallengeStore());
        assertThat(service.startRegistration("alice").toJson())
                .contains("\"extensions\":{\"credProps\":true,"
                        + "\"credentialProtectionPolicy\":\"userVerificationOptional\","
                        + "\"enforceCredentialProtectionPolicy\":false,"
                        + "\"largeBlob\":{\"support\":\"required\"},\"minPinLength\":true,\"prf\":{}}");
        assertThat(service.requesting(Extensions.of(List.of("appidExclude=https://example.com")))
                        .startRegistration("alice")
                        .toJson())
                .contains("\"extensions\":{\"credProps\":true,\"appidExclude\":\"https://example.com\"}");
    }

    /** Browsers refuse other options, so that no passkey could be created. */
    @Test
    void a_passkey_that_requires_user_verification_is_created_with_it() {
        for (CredentialProtection policy : CredentialProtection.values()) {
            Extensions extensions =
                    Extensions.builder().credentialProtection(policy, true).build();
            String options = stage.service
                    .requesting(extensions)
                    .startRegistration("alice")
                    .toJson();
            boolean required = policy == CredentialProtection.REQUIRED;
            assertThat(options)
                    .contains("\"userVerification\":\"" + (required ? "required" : "preferred") + '"')
                    .contains("\"enforceCredentialProtectionPolicy\":" + (policy != CredentialProtection.OPTIONAL));
            browser.create(options);
        }
    }

    @Test
    void a_write_replaces_a_read_and_is_limited() {
        var extensions = Extensions.builder()
                .readLargeBlob()
                .writeLargeBlob(new byte[] {1})
                .prf()
                .build();
        stage.register("alice", browser);
        assertThat(stage.service
                        .requesting(extensions)
                        .startAuthentication("alice")
                        .toJson())
                .contains("\"extensions\":{\"largeBlob\":{\"write\":\"AQ\"}}");
        assertThat(stage.service
                        .requesting(extensions)
                        .startRegistration("alice")
                        .toJson())
                .contains("\"extensions\":{\"credProps\":true,\"prf\":{}}");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Extensions.builder().writeLargeBlob(new byte[20_000]));
    }

    /** Browsers refuse all other options that write, so that a user with two passkeys could not sign in. */
    @Test
    void a_large_blob_is_written_only_if_exactly_one_passkey_is_allowed() {
        var write = Extensions.builder().writeLargeBlob(new byte[] {1}).build();
        PasskeyService service = stage.service.requesting(write);
        stage.register("alice", browser);
        assertThat(outputs(service).largeBlobWritten()).contains(true);
        stage.register("alice", Stage.browser());
        assertThat(outputs(service).largeBlobWritten()).isEmpty();
        assertThat(service.startAuthentication().toJson()).contains("\"extensions\":{}");
    }

    /** Browsers refuse options with inputs for a passkey that they do not allow. */
    @Test
    void a_passkey_has_its_own_inputs_of_prf_where_it_is_allowed() {
        String id = stage.register("alice", browser).credentialId();
        PasskeyService service = stage.service.requesting(Extensions.builder()
                .prf(new byte[] {1}, null)
                .prf(id, new byte[] {2}, new byte[] {3})
                .prf("AQ", new byte[] {4}, null)
                .build());
        String forAny = "\"prf\":{\"eval\":{\"first\":\"AQ\"}";
        assertThat(service.startAuthentication("alice").toJson())
                .contains(forAny + ",\"evalByCredential\":{\"" + id + "\":{\"first\":\"Ag\",\"second\":\"Aw\"}}}");
        assertThat(outputs(service).prfEnabled()).isEmpty();
        assertThat(browser.prfResults()).hasSize(2);
        assertThat(service.startAuthentication().toJson()).contains(forAny + "}");
        assertThat(service.startRegistration("alice").toJson()).contains(forAny + "}");

        Extensions onlyItsOwn =
                Extensions.builder().prf(id, new byte[] {2}, null).build();
        assertThat(stage.service
                        .requesting(onlyItsOwn)
                        .startAuthentication("bob")
                        .toJson())
                .contains("\"extensions\":{\"prf\":{}}");
    }

    @Test
    void unsigned_outputs_are_returned_if_they_were_requested() {
        PasskeyService service = stage.service.requesting(ALL);
        String response = browser.create(service.startRegistration("alice").toJson());
        var registered = (RegistrationResult.Registered) service.finishRegistration("alice", response);
        assertThat(registered.extensions().prfEnabled()).contains(true);
        assertThat(registered.extensions().largeBlobSupported()).contains(true);
        assertThat(registered.extensions().largeBlobWritten()).isEmpty();
        assertThat(registered.extensions().minPinLength()).contains(4L);
        assertThat(registered.extensions().credentialProtection()).contains(CredentialProtection.REQUIRED);
        assertThat(registered.extensions().toJson())
                .contains("{\"signed\":{\"credentialProtection\":\"userVerificationRequired\",\"minPinLength\":4},"
                        + "\"unsigned\":{\"prfEnabled\":true,\"largeBlobSupported\":true}}");

        var write = Extensions.builder().writeLargeBlob(new byte[] {1, 2, 3}).build();
        assertThat(outputs(stage.service.requesting(write)).largeBlobWritten()).contains(true);
        assertThat(outputs(service).largeBlob()).contains("AQID");
        assertThat(browser.prfResults()).hasSize(2);
    }

    private ExtensionOutputs outputs(PasskeyService service) {
        String login = browser.get(service.startAuthentication("alice").toJson());
        return ((AuthenticationResult.Verified) service.finishAuthentication("alice", login)).extensions();
    }

    /** T39: they must not break a ceremony, and have no effect. */
    @Test
    void T39_unsolicited_outputs_are_ignored() {
        String response = browser.create(
                        stage.service.startRegistration("alice").toJson())
                .replace("\"credProps\":", "\"prf\":{\"enabled\":true},\"largeBlob\":7,\"credProps\":");
        var registered = (RegistrationResult.Registered) stage.service.finishRegistration("alice", response);
        assertThat(registered.extensions().prfEnabled()).isEmpty();
        assertThat(registered.extensions().largeBlobSupported()).isEmpty();
        assertThat(registered.extensions().toJson()).isEmpty();
    }

    /** T39: each ceremony has the outputs that it requested itself. */
    @Test
    void T39_outputs_that_only_the_other_ceremony_requested_are_ignored() throws Exception {
        var split = Extensions.builder().prf().minPinLength().readLargeBlob().build();
        JsonObject unsigned =
                JsonObject.parse("{\"prf\":{\"enabled\":true},\"largeBlob\":{\"supported\":true,\"blob\":\"AQ\"}}", "");
        var data = signed(Map.of("minPinLength", 6));
        assertThat(split.ofRegistration(data, unsigned).prfEnabled()).contains(true);
        assertThat(split.ofRegistration(data, unsigned).minPinLength()).contains(6L);
        assertThat(split.ofRegistration(data, unsigned).largeBlobSupported()).isEmpty();
        assertThat(split.ofLogin(data, unsigned).prfEnabled()).isEmpty();
        assertThat(split.ofLogin(data, unsigned).minPinLength()).isEmpty();
        assertThat(split.ofLogin(data, unsigned).largeBlob()).contains("AQ");
    }

    /** T39: such as the content of a large blob, where only its support was requested. */
    @Test
    void T39_members_of_an_output_that_were_not_requested_are_ignored() throws Exception {
        JsonObject unsigned = JsonObject.parse(
                "{\"prf\":{\"enabled\":true},\"largeBlob\":{\"supported\":true,\"blob\":\"AQ\",\"written\":true}}", "");
        var registration = ALL.ofRegistration(signed(Map.of()), unsigned);
        assertThat(registration.prfEnabled()).contains(true);
        assertThat(registration.largeBlobSupported()).contains(true);
        assertThat(registration.largeBlobWritten()).isEmpty();
        assertThat(registration.largeBlob()).isEmpty();

        var read = ALL.ofLogin(signed(Map.of()), unsigned);
        assertThat(read.prfEnabled()).isEmpty();
        assertThat(read.largeBlobSupported()).isEmpty();
        assertThat(read.largeBlobWritten()).isEmpty();
        assertThat(read.largeBlob()).contains("AQ");

        Extensions writing = Extensions.builder().writeLargeBlob(new byte[] {1}).build();
        var written = writing.ofLogin(signed(Map.of()), unsigned);
        assertThat(written.largeBlobWritten()).contains(true);
        assertThat(written.largeBlob()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"AQ==\"", "\"AR\"", "\"<script>\"", "1", "{\"blob\":\"AQ\"}", "[\"AQ\"]", "null"})
    void the_content_of_a_large_blob_is_base64url_and_a_flag_boolean_or_absent(String blob) throws Exception {
        var unsigned = JsonObject.parse("{\"largeBlob\":{\"blob\":" + blob + "}}", "");
        assertThat(ALL.ofLogin(signed(Map.of()), unsigned).largeBlob()).isEmpty();
        var flag = JsonObject.parse("{\"largeBlob\":{\"supported\":" + blob + "}}", "");
        assertThat(ALL.ofRegistration(signed(Map.of()), flag).largeBlobSupported())
                .isEmpty();
    }

    /** T39: {@code toJSON()} includes them. */
    @Test
    void T39_results_of_prf_are_refused_even_if_prf_was_requested() {
        PasskeyService service = stage.service.requesting(ALL);
        stage.register("alice", browser);
        String login = browser.get(service.startAuthentication("alice").toJson())
                .replace("\"prf\":{}", "\"prf\":{\"results\":{\"first\":\"c2VjcmV0\"}}");
        assertThat(login).contains("c2VjcmV0");
        AuthenticationResult result = service.finishAuthentication("alice", login);
        assertRefused(result, Step.RESPONSE);
        assertThat(((AuthenticationResult.Refused) result).detail())
                .contains("prf.results: secrets")
                .doesNotContain("c2VjcmV0");
    }

    @Test
    void signed_outputs_come_from_the_authenticator_data() throws Exception {
        assertThat(outputs(ALL, Map.of("credProtect", 3, "minPinLength", 6)).credentialProtection())
                .contains(CredentialProtection.REQUIRED);
        assertThat(outputs(ALL, Map.of("credProtect", 3, "minPinLength", 6)).minPinLength())
                .contains(6L);
        assertThat(outputs(ALL, Map.of("credProtect", 4, "minPinLength", "6")).credentialProtection())
                .isEmpty();
        assertThat(outputs(ALL, Map.of("credProtect", 4, "minPinLength", "6")).minPinLength())
                .isEmpty();
        assertThat(outputs(ALL, Map.of("credProtect", 0, "minPinLength", 0)).credentialProtection())
                .isEmpty();
        assertThat(outputs(ALL, Map.of("credProtect", 0, "minPinLength", 0)).minPinLength())
                .isEmpty();
        assertThat(outputs(ALL, Map.of("credProtect", 1)).credentialProtection())
                .contains(CredentialProtection.OPTIONAL);
        assertThat(outputs(Extensions.NONE, Map.of("credProtect", 1)).credentialProtection())
                .isEmpty();
    }

    /** Unsigned: it only counts if the app id was requested. */
    @Test
    void T39_the_app_id_changes_the_expected_hash_if_it_was_requested_and_used() {
        Bytes hash = Bytes.ofUtf8("https://example.com/appid.json").sha256();
        assertThat(ALL.appIdHash(JsonObject.of(Map.of("appid", true)))).isEqualTo(hash);
        assertThat(ALL.appIdHash(JsonObject.of(Map.of("appid", false)))).isNull();
        assertThat(ALL.appIdHash(JsonObject.of(Map.of("appid", 1L)))).isNull();
        assertThat(ALL.appIdHash(JsonObject.of(Map.of("appidExclude", true)))).isNull();
        Extensions excluded =
                Extensions.builder().appIdExclude("https://example.com").build();
        assertThat(excluded.appIdHash(JsonObject.of(Map.of("appid", true)))).isNull();
        assertThat(Extensions.NONE.appIdHash(JsonObject.of(Map.of("appid", true))))
                .isNull();
    }

    private static ExtensionOutputs outputs(Extensions requested, Map<String, Object> signed) throws Exception {
        return requested.ofRegistration(signed(signed), JsonObject.of(Map.of()));
    }

    private static AuthenticatorData signed(Map<String, Object> outputs) throws Exception {
        Bytes header = Bytes.copyOf(new byte[32]).concat(Bytes.ofHex("8100000000"));
        return AuthenticatorData.parse(header.concat(Bytes.copyOf(Cbor.encode(new TreeMap<Object, Object>(outputs)))));
    }
}
