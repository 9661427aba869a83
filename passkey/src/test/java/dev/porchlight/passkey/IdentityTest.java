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

/** A user cannot sign in as another user or take over a passkey. */
class IdentityTest {
    private static DataSource database;
    private static int people;

    private final String alice = "alice" + ++people;
    private final String mallory = "mallory" + people;
    private final SoftBrowser alices = Stage.browser();
    private final SoftBrowser mallorys = Stage.browser();
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
    void a_valid_passkey_is_refused_for_another_user_with_passkeys() { // T12
        stage.register(alice, alices);
        stage.register(mallory, mallorys);

        assertRefused(signInAs(alice, mallorys), Step.CREDENTIAL_OWNER);
    }

    @Test
    void a_valid_passkey_is_refused_for_another_user_without_passkeys() { // T12
        service.startRegistration(alice);
        stage.register(mallory, mallorys);

        assertRefused(signInAs(alice, mallorys), Step.CREDENTIAL_OWNER);
    }

    @Test
    void a_valid_passkey_is_refused_for_an_unknown_user() { // T12, T14
        stage.register(mallory, mallorys);

        assertRefused(signInAs("bob2", mallorys), Step.CREDENTIAL_OWNER);
    }

    @Test
    void a_usernameless_login_signs_in_the_owner_of_the_passkey() { // T12, T21
        stage.register(alice, alices);
        stage.register(mallory, mallorys);

        AuthenticationResult result = stage.signIn(mallorys);

        assertThat(((AuthenticationResult.Verified) result).assertion().userId())
                .isEqualTo(mallory);
    }

    @Test
    void a_wrong_user_handle_and_a_missing_one_without_a_user_id_are_refused() { // T13
        var passkey = new HandmadePasskey(alice);
        store(passkey.recordOf(alice, 0).withUserHandle("aGVycw"));

        assertRefused(
                service.finishAuthentication(
                        alice,
                        passkey.respond(service.startAuthentication(alice).challenge(), UP, 1, "aGlz")),
                Step.USER_HANDLE);
        assertRefused(
                service.finishAuthentication(
                        passkey.respond(service.startAuthentication().challenge(), UP, 1, null)),
                Step.USER_HANDLE);
        assertThat(service.finishAuthentication(
                                alice,
                                passkey.respond(
                                        service.startAuthentication(alice).challenge(), UP, 1, "aGVycw"))
                        .verified())
                .isTrue();
    }

    @Test
    void an_id_is_registered_once_and_the_first_row_stays() { // T15
        CredentialRecord first = stage.register(alice, alices);
        // The software browser refuses an excluded passkey, so a mutation is used.
        var copy = Mutations.named(CeremonyType.REGISTRATION, "credential-id-of-another-user");

        String options = service.startRegistration(mallory).toJson();
        assertRefused(service.finishRegistration(mallory, alices.create(options, copy)), Step.CREDENTIAL_NEW);

        assertThat(service.passkeys(alice)).containsExactly(first);
        assertThat(service.passkeys(mallory)).isEmpty();
        assertThat(stage.signIn(alice, alices).verified()).isTrue();
    }

    @Test
    void the_id_of_the_authenticator_data_is_stored() { // T16
        CredentialRecord registered = stage.register(alice, alices);

        assertThat(registered.credentialId())
                .isEqualTo(alices.authenticator().passkeys().get(0).id());
    }

    @Test
    void each_user_gets_a_random_handle_that_differs_from_the_user_id() {
        CreationOptions first = service.startRegistration(alice);
        CreationOptions again = service.startRegistration(alice);
        CreationOptions other = service.startRegistration(mallory);

        assertThat(first.user().userHandle()).hasSize(43);
        assertThat(again.user().userHandle()).isEqualTo(first.user().userHandle());
        assertThat(other.user().userHandle()).isNotEqualTo(first.user().userHandle());
        assertThat(first.toJson()).doesNotContain("\"id\":\"" + alice);
    }

    @Test
    void a_registration_above_the_limit_is_refused() {
        stage.configure(config -> config.maxPasskeysPerUser(2));
        stage.register(alice, Stage.browser());
        stage.register(alice, Stage.browser());

        String options = stage.service.startRegistration(alice).toJson();
        assertRefused(stage.service.finishRegistration(alice, Stage.browser().create(options)), Step.CREDENTIAL_LIMIT);
        assertThat(stage.passkeys(alice)).hasSize(2);
    }

    @Test
    void the_first_of_two_sign_ups_with_one_name_wins() { // T17
        String options = service.startRegistration(alice).toJson();
        String otherOptions = service.startRegistration(alice).toJson();

        assertThat(service.finishFirstRegistration(alice, alices.create(options))
                        .registered())
                .isTrue();
        assertRefused(service.finishFirstRegistration(alice, mallorys.create(otherOptions)), Step.CREDENTIAL_LIMIT);
        assertThat(service.passkeys(alice)).hasSize(1);
    }

    @Test
    void existing_passkeys_are_excluded_from_registration() {
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
