// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.porchlight.testkit.SoftAuthenticator;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PasskeyConfigTest {
    @ParameterizedTest
    @CsvSource({
        "example.com, https://example.com",
        "example.com, https://login.example.com",
        "login.example.com, https://login.example.com",
        "example.com, https://example.com:8443",
        "localhost, http://localhost:8080",
        "localhost, http://localhost",
        "app.localhost, http://app.localhost:3000",
        "localhost, https://localhost:8443",
        "intranet, https://intranet",
        "example.co.uk, https://login.example.co.uk",
        "me.github.io, https://me.github.io",
        "www.ck, https://www.ck",
        "xn--bcher-kva.example, https://xn--bcher-kva.example",
        "a1.b-2.example, https://a1.b-2.example"
    })
    void a_valid_relying_party_is_accepted(String rpId, String origin) {
        assertThatCode(() -> new PasskeyConfig("App", rpId, origin)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, https://example.org, neither the host",
        "example.com, https://evilexample.com, neither the host",
        "login.example.com, https://example.com, neither the host",
        "com, https://example.com, neither the host",
        "localhost, https://app.localhost, neither the host",
        "com, https://com, is a public suffix",
        "co.uk, https://example.co.uk, is a public suffix",
        "github.io, https://me.github.io, is a public suffix",
        "name.ck, https://name.ck, is a public suffix",
        "Example.com, https://example.com, not a domain name",
        "https://example.com, https://example.com, not a domain name",
        "example.com:443, https://example.com, not a domain name",
        "127.0.0.1, http://127.0.0.1, must be https",
        "127.0.0.1, https://127.0.0.1, not a domain name",
        "'', https://example.com, not a domain name",
        "example.com, http://example.com, must be https",
        "example.com, https://example.com/, not an origin",
        "example.com, https://example.com/path, not an origin",
        "example.com, https://EXAMPLE.com, not an origin",
        "example.com, https://user@example.com, not an origin",
        "example.com, https://example.com:443, default port",
        "localhost, http://localhost:80, default port",
        "example.com, https://example.com:0, not an origin",
        "example.com, https://example.com., not an origin",
        "example.com, example.com, not an origin",
        "example.com, ftp://example.com, not an origin",
        "bücher.example, https://bücher.example, not an origin",
        "example.com, null, not an origin"
    })
    void an_invalid_relying_party_is_refused(String rpId, String origin, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PasskeyConfig("App", rpId, origin))
                .withMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://other.example",
                "http://localhost:3000",
                "android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"
            })
    void web_and_app_origins_are_valid_related_origins(String origin) {
        assertThat(builder().relatedOrigins(Set.of(origin)).build().relatedOrigins())
                .containsExactly(origin);
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://*.example", "other.example", "android:apk-key-hash:short", "null", "file://x", ""})
    void an_invalid_related_origin_is_refused(String origin) {
        assertThatIllegalArgumentException().isThrownBy(() -> builder().relatedOrigins(Set.of(origin)));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().topOrigins(Set.of(origin)));
    }

    @Test
    void an_invalid_name_lifetime_or_limit_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PasskeyConfig("", "example.com", "https://example.com"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PasskeyConfig("a\nb", "example.com", "https://example.com"));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().challengeTtl(Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().challengeTtl(Duration.ofHours(1).plusMillis(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> builder().maxPasskeysPerUser(0));
    }

    @Test
    void a_copied_builder_keeps_all_other_values() {
        PasskeyConfig config = builder()
                .relatedOrigins(Set.of("https://a.example"))
                .topOrigins(Set.of("https://b.example"))
                .userVerification(UserVerification.REQUIRED)
                .attestation(AttestationPolicy.REQUIRE_TRUSTED, List.of(SoftAuthenticator.attestationRoot()))
                .signCountPolicy(SignCountPolicy.FLAG)
                .challengeTtl(Duration.ofSeconds(7))
                .maxPasskeysPerUser(3)
                .hints(List.of("client-device"))
                .build();

        assertThat(config.toBuilder().build()).usingRecursiveComparison().isEqualTo(config);
        assertThat(config.toBuilder().hints(List.of()).build())
                .usingRecursiveComparison()
                .ignoringFields("values.hints")
                .isEqualTo(config);
    }

    @Test
    void the_constructor_and_the_builder_have_the_same_defaults() {
        assertThat(builder().build()).usingRecursiveComparison().isEqualTo(Stage.config());
        assertThat(Stage.config().challengeTtl()).isEqualTo(PasskeyConfig.DEFAULT_CHALLENGE_TTL);
        assertThat(Stage.config().maxPasskeysPerUser()).isEqualTo(PasskeyConfig.DEFAULT_MAX_PASSKEYS_PER_USER);
    }

    private static PasskeyConfig.Builder builder() {
        return PasskeyConfig.builder("Example", "example.com", "https://example.com");
    }
}
