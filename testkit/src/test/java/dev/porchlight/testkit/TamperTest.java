// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.tamper.Ceremony;
import dev.porchlight.testkit.tamper.Lie;
import dev.porchlight.testkit.tamper.Tamper;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class TamperTest {
    private static final String PASSKEYS = passkeys();
    private static final String HONEST_REGISTRATION = told(Ceremony.REGISTRATION, null);
    private static final String HONEST_ASSERTION = told(Ceremony.AUTHENTICATION, null);

    static Stream<Lie> everything() {
        return Tamper.all().stream();
    }

    @Test
    void names_are_unique_and_sentences_are_plain() {
        assertThat(Tamper.all()).extracting(Lie::toString).doesNotHaveDuplicates();
        assertThat(Tamper.all())
                .allSatisfy(lie -> assertThat(lie.name()).matches("[a-z0-9]+(-[a-z0-9]+)*"))
                .allSatisfy(lie -> assertThat(lie.sentence()).matches("[a-z][^\n]+[^.]"))
                .allSatisfy(lie -> assertThat(lie.target()).matches("7\\.[12]\\.\\d+( T\\d\\d)?"));
    }

    /** Two browsers from one seed tell the same truth, so what differs is the lie. */
    @ParameterizedTest
    @MethodSource("everything")
    void every_lie_can_be_told_and_changes_the_response(Lie lie) {
        boolean registering = lie.ceremony() == Ceremony.REGISTRATION;
        assertThat(told(lie.ceremony(), lie)).isNotEqualTo(registering ? HONEST_REGISTRATION : HONEST_ASSERTION);
    }

    @Test
    void two_honest_browsers_from_one_seed_agree() {
        assertThat(told(Ceremony.REGISTRATION, null)).isEqualTo(HONEST_REGISTRATION);
        assertThat(told(Ceremony.AUTHENTICATION, null)).isEqualTo(HONEST_ASSERTION);
    }

    @Test
    void a_passkey_is_kept_only_if_it_should_be_accepted() {
        SoftBrowser browser = experiencedBrowser();
        for (Lie lie : Tamper.all()) {
            if (lie.ceremony() == Ceremony.REGISTRATION) {
                browser.create(Options.creation("example.com", lie.name()), lie);
                assertThat(browser.authenticator().passkeys())
                        .filteredOn(it -> it.userName().equals(lie.name()))
                        .hasSize(lie.truthful() ? 1 : 0);
            }
        }
    }

    /** What a browser says in a ceremony; the truth without a lie. */
    private static String told(Ceremony ceremony, Lie lie) {
        SoftBrowser browser = experiencedBrowser();
        if (ceremony == Ceremony.REGISTRATION) {
            String options = Options.creation("example.com", "bob").replace("direct", "none");
            return lie == null ? browser.create(options) : browser.create(options, lie);
        }
        String options = Options.request("example.com").replace(Options.LOGIN_CHALLENGE, Options.CHALLENGE);
        return lie == null ? browser.get(options) : browser.get(options, lie);
    }

    /** One with the passkeys of two users and a sign-in behind it, as the premises of some lies demand. */
    private static SoftBrowser experiencedBrowser() {
        SoftBrowser browser = browser();
        browser.authenticator().restore(PASSKEYS);
        browser.picks("alice").get(Options.request("example.com"));
        return browser;
    }

    /** The passkeys of mallory and alice, generated once: generating keys takes most of the time. */
    private static String passkeys() {
        SoftBrowser browser = browser();
        browser.create(Options.creation("example.com", "mallory"));
        browser.create(Options.creation("example.com", "alice"));
        return browser.authenticator().export();
    }

    private static SoftBrowser browser() {
        return new SoftBrowser(
                "https://login.example.com",
                SoftAuthenticator.builder().seed(3).backup(true, true).build());
    }
}
