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

/** Own origins, related origins and top origins. The testkit's mutations cover other spellings (T25). */
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
    void the_origin_of_the_registration_is_stored() {
        stage.configure(config -> config.relatedOrigins(Set.of(SHOP)));

        assertThat(stage.register(user, shop).origin()).isEqualTo(SHOP);
    }

    @Test
    void a_related_origin_is_refused_unless_configured() {
        stage.register(user, home);
        assertRefused(stage.signIn(user, shop), Step.ORIGIN);

        stage.configure(config -> config.relatedOrigins(Set.of(SHOP)));
        assertThat(stage.signIn(user, shop).verified()).isTrue();
    }

    @Test
    void a_passkey_of_a_removed_origin_is_refused() {
        stage.configure(config -> config.relatedOrigins(Set.of(SHOP)));
        stage.register(user, shop);
        stage.configure(config -> config);

        assertRefused(stage.signIn(user, home), Step.ORIGIN);
    }

    @Test
    void a_framed_page_is_refused_unless_its_top_origin_is_configured() { // T26
        stage.register(user, home);
        assertRefused(stage.signIn(user, home.framedBy("https://partner.example")), Step.FRAMING);

        stage.configure(config -> config.topOrigins(Set.of("https://partner.example")));
        assertThat(stage.signIn(user, home.framedBy("https://partner.example")).verified())
                .isTrue();
        assertRefused(stage.signIn(user, home.framedBy("https://evil.example")), Step.TOP_ORIGIN);
        assertThat(stage.signIn(user, home).verified()).isTrue();
    }
}
