// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey;

import static dev.porchlight.passkey.ChallengeLifeTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of ours, pages beside ours, and pages around ours. The spellings that are refused are among the kit's mutations (T25). */
class OriginTest {
    private static final String SHOP = "https://shop.example.com";

    private static DataSource database;
    private static int users;

    private final String user = "user" + ++users;
    private final SoftAuthenticator authenticator = SoftAuthenticator.securityKey();
    private final SoftBrowser home = new SoftBrowser(Stage.ORIGIN, authenticator);
    private final SoftBrowser shop = new SoftBrowser(SHOP, authenticator);
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
    void keeps_the_origin_of_the_registration_with_the_passkey() {
        stage.configure(config -> config.relatedOrigins(Set.of(SHOP)));

        assertThat(stage.register(user, shop).origin()).isEqualTo(SHOP);
    }

    @Test
    void refuses_a_page_beside_ours_unless_it_is_configured() {
        stage.register(user, home);
        assertRefused(stage.signIn(user, shop), Step.ORIGIN);

        stage.configure(config -> config.relatedOrigins(Set.of(SHOP)));
        assertThat(stage.signIn(user, shop).verified()).isTrue();
    }

    @Test
    void refuses_a_passkey_of_an_origin_that_is_no_longer_ours() {
        stage.configure(config -> config.relatedOrigins(Set.of(SHOP)));
        stage.register(user, shop);
        stage.configure(config -> config);

        assertRefused(stage.signIn(user, home), Step.ORIGIN);
    }

    @Test
    void refuses_a_framed_page_unless_the_frame_is_configured() { // T26
        stage.register(user, home);
        assertRefused(stage.signIn(user, home.framedBy("https://partner.example")), Step.FRAMING);

        stage.configure(config -> config.topOrigins(Set.of("https://partner.example")));
        assertThat(stage.signIn(user, home.framedBy("https://partner.example")).verified())
                .isTrue();
        assertRefused(stage.signIn(user, home.framedBy("https://evil.example")), Step.TOP_ORIGIN);
        assertThat(stage.signIn(user, home).verified()).isTrue();
    }
}
