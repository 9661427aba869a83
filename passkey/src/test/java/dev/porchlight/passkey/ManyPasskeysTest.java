// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static dev.porchlight.passkey.HandmadePasskey.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.ImportConflictException;
import dev.porchlight.passkey.store.PasskeyImport;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A user with more passkeys than the limit, which is only possible after an import. */
@Tag("slow")
class ManyPasskeysTest {
    private static final int MANY = 500;
    private static final int OFFERED = 20;

    private static final List<HandmadePasskey> PASSKEYS = IntStream.range(0, MANY)
            .mapToObj(i -> new HandmadePasskey("one of many " + i))
            .toList();

    @ParameterizedTest
    @EnumSource
    void login_options_list_the_most_recent_passkeys_and_any_passkey_signs_in(TestDatabase database)
            throws ImportConflictException {
        Stage stage = Stage.on(database);
        try (PasskeyImport target = PasskeyImport.into(stage.database)) {
            for (int i = 0; i < MANY; i++) {
                target.add(imported(i), "passkey " + i);
            }
            assertThat(target.finish()).isEqualTo(new PasskeyImport.Counts(0, MANY, 0));
        }

        assertThat(offered(stage)).containsExactlyElementsOf(ids(MANY - OFFERED, MANY));
        assertThat(stage.service.startRegistration("alice").excludeCredentials())
                .hasSize(OFFERED);
        assertThat(signIn(stage, 3).verified()).isTrue();
        assertThat(offered(stage)).hasSize(OFFERED).startsWith(PASSKEYS.get(3).id);
        assertThat(stage.service.passkeys("alice")).hasSize(MANY);
    }

    @ParameterizedTest
    @EnumSource
    void a_user_above_the_limit_cannot_register_until_passkeys_are_removed(TestDatabase database)
            throws ImportConflictException {
        Stage stage = Stage.on(database);
        try (PasskeyImport target = PasskeyImport.into(stage.database)) {
            for (int i = 0; i <= OFFERED; i++) {
                target.add(imported(i), "passkey " + i);
            }
            target.finish();
        }
        var browser = Stage.browser();
        String options = stage.service.startRegistration("alice").toJson();

        assertRefused(stage.service.finishRegistration("alice", browser.create(options)), Step.CREDENTIAL_LIMIT);
    }

    private static CredentialRecord imported(int i) {
        return CredentialRecord.of(PASSKEYS.get(i).id, "alice", PASSKEYS.get(i).jwk(), 0, Stage.ORIGIN)
                .withDetails(new CredentialRecord.Details(null, Instant.ofEpochSecond(1_000L + i), null));
    }

    private static List<String> ids(int from, int to) {
        return PASSKEYS.subList(from, to).stream().map(it -> it.id).toList();
    }

    private static List<String> offered(Stage stage) {
        return stage.service.startAuthentication("alice").allowCredentials().stream()
                .map(CredentialDescriptor::id)
                .toList();
    }

    private static AuthenticationResult signIn(Stage stage, int i) {
        String challenge = stage.service.startAuthentication("alice").challenge();
        return stage.service.finishAuthentication("alice", PASSKEYS.get(i).respond(challenge, UP, 0, null));
    }
}
