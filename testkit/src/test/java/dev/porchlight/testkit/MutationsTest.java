// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.testkit.tamper.CeremonyType;
import dev.porchlight.testkit.tamper.Mutation;
import dev.porchlight.testkit.tamper.Mutations;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class MutationsTest {
    private static final String PASSKEYS = passkeys();
    private static final String HONEST_REGISTRATION = told(CeremonyType.REGISTRATION, null);
    private static final String HONEST_ASSERTION = told(CeremonyType.AUTHENTICATION, null);

    static Stream<Mutation> everything() {
        return Mutations.all().stream();
    }

    @Test
    void names_are_unique_and_sentences_are_plain() {
        assertThat(Mutations.all()).extracting(Mutation::toString).doesNotHaveDuplicates();
        assertThat(Mutations.all())
                .allSatisfy(mutation -> assertThat(mutation.name()).matches("[a-z0-9]+(-[a-z0-9]+)*"))
                .allSatisfy(mutation -> assertThat(mutation.sentence()).matches("[a-z][^\n]+[^.]"))
                .allSatisfy(mutation -> assertThat(mutation.target()).matches("7\\.[12]\\.\\d+( T\\d\\d)?"));
    }

    /** Two browsers from one seed tell the same truth, so what differs is the mutation. */
    @ParameterizedTest
    @MethodSource("everything")
    void every_mutation_can_be_told_and_changes_the_response(Mutation mutation) {
        boolean registering = mutation.ceremony() == CeremonyType.REGISTRATION;
        assertThat(told(mutation.ceremony(), mutation))
                .isNotEqualTo(registering ? HONEST_REGISTRATION : HONEST_ASSERTION);
    }

    @Test
    void two_honest_browsers_from_one_seed_agree() {
        assertThat(told(CeremonyType.REGISTRATION, null)).isEqualTo(HONEST_REGISTRATION);
        assertThat(told(CeremonyType.AUTHENTICATION, null)).isEqualTo(HONEST_ASSERTION);
    }

    @Test
    void a_passkey_is_kept_only_if_it_should_be_accepted() {
        SoftBrowser browser = experiencedBrowser();
        for (Mutation mutation : Mutations.all()) {
            if (mutation.ceremony() == CeremonyType.REGISTRATION) {
                browser.create(Options.creation("example.com", mutation.name()), mutation);
                assertThat(browser.authenticator().passkeys())
                        .filteredOn(it -> it.userName().equals(mutation.name()))
                        .hasSize(mutation.valid() ? 1 : 0);
            }
        }
    }

    /** What a browser says in a ceremony; the truth without a mutation. */
    private static String told(CeremonyType ceremony, Mutation mutation) {
        SoftBrowser browser = experiencedBrowser();
        if (ceremony == CeremonyType.REGISTRATION) {
            String options = Options.creation("example.com", "bob").replace("direct", "none");
            return mutation == null ? browser.create(options) : browser.create(options, mutation);
        }
        String options = Options.request("example.com").replace(Options.LOGIN_CHALLENGE, Options.CHALLENGE);
        return mutation == null ? browser.get(options) : browser.get(options, mutation);
    }

    /** One with the passkeys of two users and a sign-in behind it, as the preconditions of some mutations demand. */
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
