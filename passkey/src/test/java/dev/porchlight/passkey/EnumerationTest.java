// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.HandmadePasskey.UP;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.store.MemoryChallengeStore;
import dev.porchlight.passkey.store.SqlCredentialStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Responses do not reveal which accounts exist (T42). */
class EnumerationTest {
    private static DataSource database;

    private final Stage stage = Stage.on(database, null);
    private final PasskeyService service = stage.service;

    @BeforeAll
    static void migrate() {
        database = Stage.on(TestDatabase.SQLITE).database;
    }

    @Test
    void T42_decoys_are_the_same_each_time_and_different_for_each_user() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            List<CredentialDescriptor> decoys = allowed("unknown" + i);
            assertThat(allowed("unknown" + i)).isEqualTo(decoys);
            decoys.forEach(decoy -> assertThat(ids.add(decoy.id())).isTrue());
        }
    }

    @Test
    void T42_decoys_look_like_common_passkeys_in_an_empty_database() {
        PasskeyService empty = Stage.on(TestDatabase.SQLITE).service;
        Set<Integer> counts = new HashSet<>();
        Set<Integer> lengths = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            List<CredentialDescriptor> decoys =
                    empty.startAuthentication("unknown" + i).allowCredentials();
            counts.add(decoys.size());
            for (CredentialDescriptor decoy : decoys) {
                lengths.add(Base64.getUrlDecoder().decode(decoy.id()).length);
                assertThat(decoy.transports()).isNotEmpty().isSubsetOf("hybrid", "internal", "nfc", "usb");
            }
        }

        assertThat(counts).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(lengths).containsExactlyInAnyOrder(16, 20, 32, 48, 64);
    }

    @Test
    void T42_decoys_depend_on_the_key() {
        PasskeyService other = PasskeyService.builder(Stage.config(), database, new MemoryChallengeStore())
                .decoyKey("another key, of thirty-two bytes".getBytes(UTF_8))
                .build();

        assertThat(other.startAuthentication("unknown").allowCredentials()).isNotEqualTo(allowed("unknown"));
    }

    @Test
    void T42_users_with_passkeys_get_them_and_users_without_get_decoys() {
        var browser = Stage.browser();
        String id = stage.register("changing", browser).credentialId();
        assertThat(allowed("changing")).extracting(CredentialDescriptor::id).containsExactly(id);

        service.remove("changing", id, true);
        List<CredentialDescriptor> decoys = allowed("changing");
        assertThat(decoys).isNotEmpty().extracting(CredentialDescriptor::id).doesNotContain(id);
        assertThat(allowed("changing")).isEqualTo(decoys);
    }

    /** Compares the phases of the work, including the signature, instead of measuring time. */
    @Test
    void T42_the_same_work_is_done_whether_or_not_the_user_and_the_passkey_exist() {
        var known = new HandmadePasskey("known");
        var unknown = new HandmadePasskey("unknown");
        new SqlCredentialStore(database).add(known.recordOf("known", 0).withUserHandle("aGVycw"), 20);
        new SqlCredentialStore(database).add(new HandmadePasskey("other").recordOf("other", 0), 20);

        List<OperationPhase> badSignature = phases("known", new HandmadePasskey("known"), "aGVycw");
        List<OperationPhase> unknownPasskey = phases("known", unknown, null);
        List<OperationPhase> unknownUser = phases("unknown", unknown, null);
        List<OperationPhase> wrongOwner = phases("other", known, null);
        List<OperationPhase> wrongHandle = phases("known", known, "b3RoZXI");

        assertThat(badSignature)
                .containsExactly(
                        OperationPhase.CHALLENGE_STORE,
                        OperationPhase.DATABASE,
                        OperationPhase.SIGNATURE,
                        OperationPhase.DATABASE);
        assertThat(List.of(unknownPasskey, unknownUser, wrongOwner, wrongHandle))
                .allSatisfy(phases -> assertThat(phases).isEqualTo(badSignature));
    }

    @Test
    void T42_login_options_do_the_same_work_for_every_user() {
        stage.register("known", Stage.browser());

        assertThat(startPhases("known")).isEqualTo(startPhases("unknown at all"));
    }

    @Test
    void T42_decoys_are_refused_like_any_unknown_passkey() {
        var pretender = new HandmadePasskey("decoy");
        assertThat(IntStream.range(0, 20))
                .allSatisfy(i -> assertThat(service.finishAuthentication(
                                        "unknown" + i,
                                        pretender.respond(service.startAuthentication("unknown" + i), UP, 1))
                                .verified())
                        .isFalse());
    }

    private List<CredentialDescriptor> allowed(String userId) {
        return service.startAuthentication(userId).allowCredentials();
    }

    private List<OperationPhase> phases(String userId, HandmadePasskey passkey, String userHandle) {
        var heard = new Phases();
        PasskeyService listening = Stage.on(database, null).listen(config -> config, heard).service;
        String challenge = listening.startAuthentication(userId).challenge();
        heard.phases.clear();
        assertThat(listening
                        .finishAuthentication(userId, passkey.respond(challenge, UP, 1, userHandle))
                        .verified())
                .isFalse();
        return heard.phases;
    }

    private List<OperationPhase> startPhases(String userId) {
        var heard = new Phases();
        Stage.on(database, null).listen(config -> config, heard).service.startAuthentication(userId);
        return heard.phases;
    }

    private static final class Phases implements CeremonyListener {
        private final List<OperationPhase> phases = new ArrayList<>();

        @Override
        public void spent(Operation operation, OperationPhase phase, long nanos) {
            phases.add(phase);
        }
    }
}
