// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.wire.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@VirtualPasskey(origin = "https://example.com")
class VirtualPasskeyTest {
    private static final String CREATE = """
            {"rp":{"id":"example.com","name":"Example"},"user":{"id":"YWRh","name":"ada","displayName":"Ada"},
            "challenge":"AAAAAAAAAAAAAAAAAAAAAA","pubKeyCredParams":[{"type":"public-key","alg":-8},
            {"type":"public-key","alg":-7}],"extensions":{"prf":{}}}""";

    @Test
    void parameters_of_a_test_share_one_authenticator(SoftBrowser browser, SoftAuthenticator authenticator) {
        assertThat(browser.authenticator()).isSameAs(authenticator);
        assertThat(authenticator.passkeys()).isEmpty(); // a new one for each test
        assertThat(algorithm(browser)).isEqualTo(-7);
        assertThat(authenticator.passkeys()).hasSize(1);
    }

    @Test
    void another_test_has_another_authenticator(SoftBrowser browser, SoftAuthenticator authenticator) {
        parameters_of_a_test_share_one_authenticator(browser, authenticator);
    }

    @Test
    @VirtualPasskey(
            origin = "https://example.com",
            algorithms = -8,
            synced = true,
            extensions = {})
    void the_annotation_of_the_method_wins(SoftBrowser browser) {
        JsonObject response = JsonObject.parse(browser.create(CREATE));
        assertThat(response.object("response").integer("publicKeyAlgorithm")).isEqualTo(-8);
        assertThat(response.object("response").get("transports")).isEqualTo(List.of("hybrid", "internal"));
        assertThat(response.object("clientExtensionResults").object("prf").flag("enabled"))
                .isFalse();
        assertThat(response.object("response").octets("authenticatorData")[32] & 0x18)
                .isEqualTo(0x18);
    }

    @Test
    void an_annotated_parameter_has_its_own_authenticator(
            SoftBrowser one, @VirtualPasskey(origin = "https://example.com", userVerified = false) SoftBrowser two) {
        assertThat(one.authenticator()).isNotSameAs(two.authenticator());
        byte[] data = JsonObject.parse(two.create(CREATE)).object("response").octets("authenticatorData");
        assertThat(data[32] & 4).isZero();
    }

    @Nested
    class Inside {
        @Test
        void the_annotation_of_the_outer_class_counts(SoftBrowser browser) {
            assertThat(algorithm(browser)).isEqualTo(-7);
        }
    }

    private static int algorithm(SoftBrowser browser) {
        return JsonObject.parse(browser.create(CREATE)).object("response").integer("publicKeyAlgorithm");
    }
}
