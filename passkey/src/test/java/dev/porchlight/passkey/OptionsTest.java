// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.UserRecord;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Options are the JSON dictionaries of WebAuthn Level 3, which browsers parse themselves. */
class OptionsTest {
    private static DataSource database;

    private Stage stage;

    @BeforeAll
    static void migrate() {
        database = Stage.on(TestDatabase.SQLITE).database;
    }

    @BeforeEach
    void open() {
        stage = Stage.on(database, null);
    }

    @Test
    void creation_options_are_webauthn_json() {
        var options = new CreationOptions(
                "Y2hhbGxlbmdl",
                new UserRecord("alice", "aGFuZGxl", "alice@example.com", "Alice \"A.\""),
                List.of(
                        new CredentialDescriptor("Zmlyc3Q", List.of("hybrid", "internal")),
                        new CredentialDescriptor("c2Vjb25k", List.of())),
                Stage.config(),
                Extensions.NONE);

        assertThat(options.toJson())
                .isEqualTo("{\"rp\":{\"name\":\"Example\",\"id\":\"example.com\"},"
                        + "\"user\":{\"id\":\"aGFuZGxl\",\"name\":\"alice@example.com\",\"displayName\":\"Alice \\\"A.\\\"\"},"
                        + "\"challenge\":\"Y2hhbGxlbmdl\","
                        + "\"pubKeyCredParams\":[{\"type\":\"public-key\",\"alg\":-7}],"
                        + "\"timeout\":300000,"
                        + "\"excludeCredentials\":["
                        + "{\"type\":\"public-key\",\"id\":\"Zmlyc3Q\",\"transports\":[\"hybrid\",\"internal\"]},"
                        + "{\"type\":\"public-key\",\"id\":\"c2Vjb25k\"}],"
                        + "\"authenticatorSelection\":{\"residentKey\":\"required\",\"requireResidentKey\":true,"
                        + "\"userVerification\":\"preferred\"},"
                        + "\"hints\":[],\"attestation\":\"none\",\"extensions\":{\"credProps\":true}}");
    }

    @Test
    void request_options_are_webauthn_json() {
        var options = new RequestOptions(
                "Y2hhbGxlbmdl",
                List.of(new CredentialDescriptor("aWQ", List.of("usb"))),
                Stage.config(),
                Extensions.NONE);

        assertThat(options.toJson())
                .isEqualTo("{\"challenge\":\"Y2hhbGxlbmdl\",\"timeout\":300000,\"rpId\":\"example.com\","
                        + "\"allowCredentials\":[{\"type\":\"public-key\",\"id\":\"aWQ\",\"transports\":[\"usb\"]}],"
                        + "\"userVerification\":\"preferred\",\"hints\":[]}");
    }

    @Test
    void options_follow_the_configuration() throws Exception {
        stage.configure(config -> config.userVerification(UserVerification.REQUIRED)
                .attestation(AttestationPolicy.ACCEPT_UNTRUSTED, List.of())
                .challengeTtl(Duration.ofSeconds(90))
                .hints(List.of("security-key", "hybrid")));

        JsonNode creation = parse(stage.service.startRegistration("configured").toJson());
        JsonNode request = parse(stage.service.startAuthentication().toJson());

        assertThat(creation.at("/authenticatorSelection/userVerification").asText())
                .isEqualTo("required");
        assertThat(creation.at("/attestation").asText()).isEqualTo("direct");
        assertThat(creation.at("/timeout").asLong()).isEqualTo(90_000);
        assertThat(creation.at("/hints")).hasToString("[\"security-key\",\"hybrid\"]");
        assertThat(request.at("/userVerification").asText()).isEqualTo("required");
        assertThat(request.at("/timeout").asLong()).isEqualTo(90_000);
        assertThat(request.at("/allowCredentials")).isEmpty();
    }

    @Test
    void the_last_given_names_are_used_or_else_the_user_id() throws Exception {
        assertThat(names("named")).isEqualTo("named/named");

        stage.service.startRegistration("named", RegistrationRequest.of(null, "Ned"));
        assertThat(names("named")).isEqualTo("named/Ned");

        stage.service.startRegistration("named", RegistrationRequest.of("ned@example.com", null));
        assertThat(names("named")).isEqualTo("ned@example.com/Ned");
        assertThat(stage.service.user("named").orElseThrow().displayName()).isEqualTo("Ned");
    }

    @Test
    void request_options_list_the_users_passkeys_with_transports_oldest_first() {
        CredentialRecord first = stage.register("owner", Stage.browser());
        stage.clock.advance(Duration.ofSeconds(1));
        CredentialRecord second = stage.register("owner", Stage.browser());

        assertThat(stage.service.startAuthentication("owner").allowCredentials())
                .containsExactly(CredentialDescriptor.of(first), CredentialDescriptor.of(second));
    }

    private String names(String userId) throws Exception {
        JsonNode user = parse(stage.service.startRegistration(userId).toJson()).get("user");
        return user.get("name").asText() + "/" + user.get("displayName").asText();
    }

    private static JsonNode parse(String json) throws Exception {
        return new ObjectMapper().readTree(json);
    }
}
