// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The ceremonies of the specification's vectors, through the complete service. */
class W3cCeremoniesTest {
    private static final long NEVER = Long.MAX_VALUE;

    private final DataSource database = Stage.on(TestDatabase.SQLITE).database;

    @TestFactory
    Stream<DynamicTest> accepts_every_pair_for_es256_and_refuses_the_others_by_their_algorithm() {
        List<JsonNode> registrations = Vectors.read("w3c_registrations.jsonl");
        List<JsonNode> authentications = Vectors.read("w3c_authentications.jsonl");
        return IntStream.range(0, registrations.size()).mapToObj(i -> {
            JsonNode registration = registrations.get(i);
            String name = registration.get("id").asText() + " "
                    + registration.get("why").asText();
            return DynamicTest.dynamicTest(name, () -> pair(registration, authentications.get(i)));
        });
    }

    private void pair(JsonNode registration, JsonNode authentication) {
        String user = registration.get("id").asText();
        String tags = registration.get("tags").toString();

        var challenges = new MemoryChallengeStore();
        challenges.setChallenge(user, registration.get("challenge").asText(), NEVER);
        RegistrationResult registered = service(tags, challenges)
                .finishRegistration(user, registration.get("response").toString());
        if (registration.get("alg").asLong() != -7) {
            assertThat(((RegistrationResult.Refused) registered).step()).isEqualTo(Step.ALGORITHM);
            return;
        }
        if (tags.contains("crossOrigin") && !tags.contains("topOrigin")) {
            assertThat(((RegistrationResult.Refused) registered).step()).isEqualTo(Step.TOP_ORIGIN);
            return;
        }
        assertThat(registered).isInstanceOf(RegistrationResult.Registered.class);
        assertThat(((RegistrationResult.Registered) registered).credential().publicKey())
                .isEqualTo(registration.get("publicKeyJwk").toString());

        challenges.setChallenge(user, authentication.get("challenge").asText(), NEVER);
        assertThat(service(authentication.get("tags").toString(), challenges)
                        .finishAuthentication(
                                user, authentication.get("response").toString()))
                .isInstanceOf(AuthenticationResult.Verified.class);
    }

    /** The framed examples use a frame of example.com. */
    private PasskeyService service(String tags, MemoryChallengeStore challenges) {
        Set<String> tops = tags.contains("crossOrigin") ? Set.of("https://example.com") : Set.of();
        var config = PasskeyConfig.builder("Example", "example.org", "https://example.org")
                .topOrigins(tops);
        return new PasskeyService(config.build(), database, challenges);
    }
}
