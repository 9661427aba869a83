// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.porchlight.testkit.wire.Cbor;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoftExtensionsTest {
    private static final String EVAL = "{\"prf\":{\"eval\":{\"first\":\"AQID\"}}}";

    private final SoftAuthenticator key = SoftAuthenticator.securityKey();
    private final SoftBrowser browser = new SoftBrowser("https://example.com", key);

    @Test
    void a_registration_has_the_signed_and_the_unsigned_outputs_that_were_requested() {
        JsonObject response = create(
                browser,
                "{\"prf\":{},\"largeBlob\":{\"support\":\"preferred\"},\"minPinLength\":true,"
                        + "\"credentialProtectionPolicy\":\"userVerificationOptionalWithCredentialIDList\"}");
        JsonObject outputs = response.object("clientExtensionResults");
        assertThat(outputs.object("prf").flag("enabled")).isTrue();
        assertThat(outputs.object("largeBlob").flag("supported")).isTrue();
        byte[] data = response.object("response").octets("authenticatorData");
        byte[] signed = Cbor.encode(Cbor.map("credProtect", 2, "hmac-secret", true, "minPinLength", 4));
        assertThat(data[32] & 0x80).isEqualTo(0x80);
        assertThat(Arrays.copyOfRange(data, data.length - signed.length, data.length))
                .isEqualTo(signed);
    }

    @Test
    void an_authenticator_without_an_extension_says_so() {
        var plain = new SoftBrowser(
                "https://example.com", SoftAuthenticator.builder().extensions().build());
        JsonObject response = create(plain, "{\"prf\":{},\"minPinLength\":true}");
        assertThat(response.object("clientExtensionResults").object("prf").flag("enabled"))
                .isFalse();
        assertThat(response.object("response").octets("authenticatorData")[32] & 0x80)
                .isZero();
        plain.get(request(EVAL));
        assertThat(plain.prfResults()).isEmpty();
        assertThat(refused(() -> create(plain, "{\"largeBlob\":{\"support\":\"required\"}}")))
                .isEqualTo("NotAllowedError");
    }

    @Test
    void a_passkey_derives_the_same_secret_for_the_same_input_and_does_not_send_it() {
        create(browser, "{\"prf\":{}}");
        String response = browser.get(request(EVAL));
        byte[] first = browser.prfResults().get(0);
        assertThat(first).hasSize(32);
        assertThat(JsonObject.parse(response)
                        .object("clientExtensionResults")
                        .object("prf")
                        .names())
                .isEmpty();
        assertThat(JsonObject.parse(response).object("response").octets("authenticatorData")[32] & 4)
                .isEqualTo(4);

        browser.get(request("{\"prf\":{\"eval\":{\"first\":\"BA\",\"second\":\"AQID\"}}}"));
        assertThat(browser.prfResults()).hasSize(2);
        assertThat(browser.prfResults().get(0)).isNotEqualTo(first);
        assertThat(browser.prfResults().get(1)).isEqualTo(first);

        var restored = new SoftBrowser(
                "https://example.com", SoftAuthenticator.securityKey().restore(key.export()));
        restored.get(request(EVAL));
        assertThat(restored.prfResults().get(0)).isEqualTo(first);
        browser.get(request("{}"));
        assertThat(browser.prfResults()).isEmpty();
    }

    @Test
    void a_large_blob_is_written_and_read() {
        create(browser, "{\"largeBlob\":{\"support\":\"required\"}}");
        String id = key.passkeys().get(0).id();
        JsonObject written = outputs(request("{\"largeBlob\":{\"write\":\"AQID\"}}", id));
        assertThat(written.object("largeBlob").flag("written")).isTrue();
        assertThat(outputs(request("{\"largeBlob\":{\"read\":true}}"))
                        .object("largeBlob")
                        .string("blob"))
                .isEqualTo("AQID");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"credentialProtectionPolicy\":\"userVerificationRequired\"}",
                "{\"credentialProtectionPolicy\":\"userVerificationOptional\",\"enforceCredentialProtectionPolicy\":true}",
                "{\"largeBlob\":{\"read\":true}}",
                "{\"prf\":{\"evalByCredential\":{\"AQ\":{\"first\":\"AQ\"}}}}",
            })
    void a_registration_refuses_what_browsers_refuse(String extensions) {
        assertThat(refused(() -> create(browser, extensions))).isEqualTo("NotSupportedError");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"largeBlob\":{\"write\":\"AQ\"}} | NotSupportedError",
                "{\"largeBlob\":{\"write\":\"AQ\",\"read\":true}} | NotSupportedError",
                "{\"largeBlob\":{\"support\":\"required\"}} | NotSupportedError",
                "{\"prf\":{\"evalByCredential\":{\"AQ\":{\"first\":\"AQ\"}}}} | NotSupportedError",
            })
    void a_login_refuses_what_browsers_refuse(String extensions, String name) {
        create(browser, "{}");
        assertThat(refused(() -> browser.get(request(extensions)))).isEqualTo(name);
    }

    @Test
    void inputs_by_credential_must_name_allowed_ones() {
        create(browser, "{\"prf\":{}}");
        String id = key.passkeys().get(0).id();
        String own = "{\"prf\":{\"evalByCredential\":{\"" + id + "\":{\"first\":\"AQID\"}}}}";
        browser.get(request(own, id));
        byte[] first = browser.prfResults().get(0);
        browser.get(request(EVAL));
        assertThat(browser.prfResults().get(0)).isEqualTo(first);
        assertThat(refused(() -> browser.get(request(own, "AQID")))).isEqualTo("SyntaxError");
    }

    private JsonObject outputs(String options) {
        return JsonObject.parse(browser.get(options)).object("clientExtensionResults");
    }

    private static JsonObject create(SoftBrowser browser, String extensions) {
        JsonObject options = JsonObject.parse(Options.creation("example.com", "alice"));
        return JsonObject.parse(browser.create(
                options.put("extensions", JsonObject.parse(extensions)).toString()));
    }

    private static String request(String extensions, String... allowed) {
        return JsonObject.parse(Options.request("example.com", allowed))
                .put("extensions", JsonObject.parse(extensions))
                .toString();
    }

    private static String refused(Runnable call) {
        return catchThrowableOfType(DomException.class, call::run).name();
    }
}
