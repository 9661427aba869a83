// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static dev.porchlight.passkey.HandmadePasskey.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.passkey.store.SqlCredentialStore;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutations;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose passkey it is: nobody signs in as somebody else, and nobody's passkey becomes another's. */
class IdentityTest {
    private static DataSource database;
    private static int people;

    private final String alice = "alice" + ++people;
    private final String mallory = "mallory" + people;
    private final SoftBrowser hers = Stage.browser();
    private final SoftBrowser his = Stage.browser();
    private Stage stage;
    private PasskeyService service;

    @BeforeAll
    static void migrate() {
        database = Stage.on(TestDatabase.SQLITE).database;
    }

    @BeforeEach
    void open() {
        stage = Stage.on(database, null);
        service = stage.service;
    }

    @Test
    void refuses_his_own_valid_passkey_in_the_name_of_a_user_who_has_some() { // T12
        stage.register(alice, hers);
        stage.register(mallory, his);

        assertRefused(signInAs(alice, his), Step.CREDENTIAL_OWNER);
    }

    @Test
    void refuses_his_own_valid_passkey_in_the_name_of_a_user_who_has_none() { // T12
        service.startRegistration(alice);
        stage.register(mallory, his);

        assertRefused(signInAs(alice, his), Step.CREDENTIAL_OWNER);
    }

    @Test
    void refuses_his_own_valid_passkey_in_the_name_of_a_user_nobody_knows() { // T12, T14
        stage.register(mallory, his);

        assertRefused(signInAs("bob2", his), Step.CREDENTIAL_OWNER);
    }

    @Test
    void signs_him_in_as_himself_when_nobody_is_named() { // T12, T21
        stage.register(alice, hers);
        stage.register(mallory, his);

        AuthenticationResult result = stage.signIn(his);

        assertThat(((AuthenticationResult.Verified) result).assertion().userId())
                .isEqualTo(mallory);
    }

    @Test
    void refuses_a_handle_of_somebody_else_and_none_where_it_alone_names_the_user() { // T13
        var passkey = new HandmadePasskey(alice);
        store(passkey.recordOf(alice, 0).userHandle("aGVycw").build());

        assertRefused(
                service.finishAuthentication(
                        alice, passkey.answer(service.startAuthentication(alice).challenge(), UP, 1, "aGlz")),
                Step.USER_HANDLE);
        assertRefused(
                service.finishAuthentication(
                        passkey.answer(service.startAuthentication().challenge(), UP, 1, null)),
                Step.USER_HANDLE);
        assertThat(service.finishAuthentication(
                                alice,
                                passkey.answer(
                                        service.startAuthentication(alice).challenge(), UP, 1, "aGVycw"))
                        .verified())
                .isTrue();
    }

    @Test
    void registers_an_id_once_and_leaves_the_first_as_it_was() { // T15
        CredentialRecord first = stage.register(alice, hers);
        // The kit's browser refuses an excluded passkey, as it should; a liar's does not ask.
        var copy = Mutations.named(CeremonyType.REGISTRATION, "credential-id-of-another-user");

        String options = service.startRegistration(mallory).toJson();
        assertRefused(service.finishRegistration(mallory, hers.create(options, copy)), Step.CREDENTIAL_NEW);

        assertThat(service.passkeys(alice)).containsExactly(first);
        assertThat(service.passkeys(mallory)).isEmpty();
        assertThat(stage.signIn(alice, hers).verified()).isTrue();
    }

    @Test
    void stores_the_id_that_the_authenticator_wrote() { // T16
        CredentialRecord registered = stage.register(alice, hers);

        assertThat(registered.credentialId())
                .isEqualTo(hers.authenticator().passkeys().get(0).id());
    }

    @Test
    void gives_each_user_a_random_handle_that_is_not_his_id() {
        CreationOptions first = service.startRegistration(alice);
        CreationOptions again = service.startRegistration(alice);
        CreationOptions other = service.startRegistration(mallory);

        assertThat(first.user().userHandle()).hasSize(43);
        assertThat(again.user().userHandle()).isEqualTo(first.user().userHandle());
        assertThat(other.user().userHandle()).isNotEqualTo(first.user().userHandle());
        assertThat(first.toJson()).doesNotContain("\"id\":\"" + alice);
    }

    @Test
    void refuses_to_register_more_than_a_user_may_have() {
        stage.configure(config -> config.maxPasskeysPerUser(2));
        stage.register(alice, Stage.browser());
        stage.register(alice, Stage.browser());

        String options = stage.service.startRegistration(alice).toJson();
        assertRefused(stage.service.finishRegistration(alice, Stage.browser().create(options)), Step.CREDENTIAL_LIMIT);
        assertThat(stage.passkeys(alice)).hasSize(2);
    }

    @Test
    void gives_a_name_to_the_first_of_two_who_sign_up_under_it() { // T17
        String hersToAnswer = service.startRegistration(alice).toJson();
        String hisToAnswer = service.startRegistration(alice).toJson();

        assertThat(service.finishFirstRegistration(alice, hers.create(hersToAnswer))
                        .registered())
                .isTrue();
        assertRefused(service.finishFirstRegistration(alice, his.create(hisToAnswer)), Step.CREDENTIAL_LIMIT);
        assertThat(service.passkeys(alice)).hasSize(1);
    }

    @Test
    void tells_an_authenticator_which_passkeys_it_must_not_make_twice() {
        CredentialRecord first = stage.register(
                alice,
                Stage.browser(
                        SoftAuthenticator.builder().transports("usb", "nfc").build()));

        List<CredentialDescriptor> excluded = service.startRegistration(alice).excludeCredentials();

        assertThat(excluded).containsExactly(new CredentialDescriptor(first.credentialId(), List.of("usb", "nfc")));
    }

    private AuthenticationResult signInAs(String userId, SoftBrowser browser) {
        String options = service.startAuthentication(userId)
                .toJson()
                .replaceFirst("\"allowCredentials\":\\[.*?\\],\"user", "\"allowCredentials\":[],\"user");
        return service.finishAuthentication(userId, browser.get(options));
    }

    private static void store(CredentialRecord credential) {
        new SqlCredentialStore(database).add(credential, 20);
    }
}
