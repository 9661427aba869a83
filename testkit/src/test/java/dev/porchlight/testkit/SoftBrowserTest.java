// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.nio.charset.StandardCharsets;
import java.security.Signature;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoftBrowserTest {
    private final SoftAuthenticator key = SoftAuthenticator.builder().seed(1).build();
    private final SoftBrowser browser = new SoftBrowser("https://login.example.com", key);

    @Test
    void a_registration_has_every_member_of_toJSON() {
        JsonObject credential = JsonObject.parse(browser.create(Options.creation("example.com", "alice")));
        assertThat(credential.names())
                .containsExactlyInAnyOrder(
                        "id", "rawId", "type", "response", "authenticatorAttachment", "clientExtensionResults");
        assertThat(credential.object("response").names())
                .containsExactlyInAnyOrder(
                        "clientDataJSON",
                        "attestationObject",
                        "authenticatorData",
                        "transports",
                        "publicKey",
                        "publicKeyAlgorithm");
        assertThat(credential
                        .object("clientExtensionResults")
                        .object("credProps")
                        .flag("rk"))
                .isTrue();
    }

    @Test
    void client_data_has_the_form_of_browsers() {
        JsonObject credential = JsonObject.parse(browser.create(Options.creation("example.com", "alice")));
        byte[] clientData = credential.object("response").octets("clientDataJSON");
        assertThat(new String(clientData, StandardCharsets.UTF_8))
                .isEqualTo("{\"type\":\"webauthn.create\",\"challenge\":\"" + Options.CHALLENGE
                        + "\",\"origin\":\"https://login.example.com\",\"crossOrigin\":false}");
    }

    @Test
    void a_framed_page_reports_its_top_origin() {
        browser.create(Options.creation("example.com", "alice"));
        JsonObject assertion =
                JsonObject.parse(browser.framedBy("https://shop.test").get(Options.request("example.com")));
        assertThat(new String(assertion.object("response").octets("clientDataJSON"), StandardCharsets.UTF_8))
                .endsWith("\"crossOrigin\":true,\"topOrigin\":\"https://shop.test\"}");
    }

    @Test
    void an_assertion_verifies_with_the_registered_key() throws Exception {
        JsonObject made = JsonObject.parse(browser.create(Options.creation("example.com", "alice")));
        JsonObject used = JsonObject.parse(browser.get(Options.request("example.com")));
        JsonObject response = used.object("response");
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initVerify(java.security.KeyFactory.getInstance("EC")
                .generatePublic(new java.security.spec.X509EncodedKeySpec(
                        made.object("response").octets("publicKey"))));
        signature.update(response.octets("authenticatorData"));
        signature.update(Octets.sha256(response.octets("clientDataJSON")));
        assertThat(signature.verify(response.octets("signature"))).isTrue();
        assertThat(used.string("id")).isEqualTo(made.string("id"));
        assertThat(response.octets("userHandle")).asString().isEqualTo("handle of alice");
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.com, example.com, ok",
        "https://login.example.com, example.com, ok",
        "https://example.com, login.example.com, SecurityError",
        "https://evilexample.com, example.com, SecurityError",
        "https://example.com.evil.test, example.com, SecurityError",
        "https://example.com, com, SecurityError",
        "http://example.com, example.com, SecurityError",
        "https://192.0.2.1, 192.0.2.1, SecurityError",
        "http://localhost:8080, localhost, ok",
    })
    void a_page_can_only_use_its_own_relying_party_id(String origin, String rpId, String outcome) {
        SoftBrowser page = new SoftBrowser(origin, SoftAuthenticator.securityKey());
        if (outcome.equals("ok")) {
            assertThat(page.create(Options.creation(rpId, "alice"))).contains("attestationObject");
        } else {
            assertThat(declined(() -> page.create(Options.creation(rpId, "alice"))))
                    .isEqualTo(outcome);
            assertThat(declined(() -> page.get(Options.request(rpId)))).isEqualTo(outcome);
        }
    }

    @Test
    void a_related_origin_can_use_the_relying_party_that_lists_it() {
        SoftBrowser related = new SoftBrowser("https://example.de", key)
                .fetching(rpId -> rpId.equals("example.com") ? "{\"origins\":[\"https://example.de\"]}" : "{}");
        assertThat(related.create(Options.creation("example.com", "alice"))).contains("attestationObject");
        assertThat(declined(() -> related.create(Options.creation("example.org", "alice"))))
                .isEqualTo("SecurityError");
    }

    @Test
    void an_excluded_passkey_is_not_registered_again() {
        JsonObject made = JsonObject.parse(browser.create(Options.creation("example.com", "alice")));
        String again = Options.creation("example.com", "alice")
                .replace("\"excludeCredentials\":[]", "\"excludeCredentials\":" + Options.list(made.string("id")));
        assertThat(declined(() -> browser.create(again))).isEqualTo("InvalidStateError");
    }

    @Test
    void missing_presence_passkey_or_verification_is_refused() {
        assertThat(declined(() -> browser.get(Options.request("example.com")))).isEqualTo("NotAllowedError");
        browser.create(Options.creation("example.com", "alice"));
        assertThat(declined(() -> browser.get(Options.request("example.com", "AAAA"))))
                .isEqualTo("NotAllowedError");
        key.setUserPresent(false);
        assertThat(declined(() -> browser.get(Options.request("example.com")))).isEqualTo("NotAllowedError");
        key.setUserPresent(true).setUserVerified(false);
        String strict = Options.request("example.com").replace("preferred", "required");
        assertThat(declined(() -> browser.get(strict))).isEqualTo("NotAllowedError");
        assertThat(browser.get(Options.request("example.com"))).contains("signature");
    }

    @Test
    void the_user_chooses_among_several_accounts() {
        browser.create(Options.creation("example.com", "alice"));
        browser.create(Options.creation("example.com", "bob"));
        assertThat(handle(browser.get(Options.request("example.com")))).isEqualTo("handle of bob");
        assertThat(handle(browser.picks("alice").get(Options.request("example.com"))))
                .isEqualTo("handle of alice");
    }

    @Test
    void the_same_seed_creates_the_same_octets() {
        String one = new SoftBrowser(
                        "https://example.com",
                        SoftAuthenticator.builder().seed(7).build())
                .create(Options.creation("example.com", "alice"));
        String two = new SoftBrowser(
                        "https://example.com",
                        SoftAuthenticator.builder().seed(7).build())
                .create(Options.creation("example.com", "alice"));
        assertThat(one).isEqualTo(two);
    }

    @Test
    void later_builder_changes_do_not_affect_the_authenticator() {
        SoftAuthenticatorBuilder builder = SoftAuthenticator.builder();
        SoftBrowser usb = new SoftBrowser("https://example.com", builder.build());
        builder.transports("nfc");
        assertThat(usb.create(Options.creation("example.com", "alice"))).contains("\"transports\":[\"usb\"]");
    }

    @Test
    void conditional_create_has_no_user_presence() {
        String made = browser.create(Options.creation("example.com", "alice"), Mediation.CONDITIONAL);
        byte[] data = JsonObject.parse(made).object("response").octets("authenticatorData");
        assertThat(data[32] & 0x05).isZero();
    }

    @Test
    void a_passkey_that_is_not_discoverable_must_be_listed() {
        JsonObject made = JsonObject.parse(
                browser.create(Options.creation("example.com", "alice").replace("required", "discouraged")));
        assertThat(made.object("clientExtensionResults").object("credProps").flag("rk"))
                .isFalse();
        assertThat(declined(() -> browser.get(Options.request("example.com")))).isEqualTo("NotAllowedError");
        JsonObject used = JsonObject.parse(browser.get(Options.request("example.com", made.string("id"))));
        assertThat(used.object("response").has("userHandle")).isFalse();
    }

    private static String handle(String assertion) {
        return new String(JsonObject.parse(assertion).object("response").octets("userHandle"), StandardCharsets.UTF_8);
    }

    private static String declined(Runnable act) {
        DomException declined = catchThrowableOfType(DomException.class, act::run);
        return declined == null ? "not declined" : declined.name();
    }
}
