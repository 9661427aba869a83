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
    private static final String UNCHANGED_REGISTRATION = response(CeremonyType.REGISTRATION, null);
    private static final String UNCHANGED_ASSERTION = response(CeremonyType.AUTHENTICATION, null);

    static Stream<Mutation> everything() {
        return Mutations.all().stream();
    }

    @Test
    void names_are_unique_and_descriptions_are_plain() {
        assertThat(Mutations.all()).extracting(Mutation::toString).doesNotHaveDuplicates();
        assertThat(Mutations.all())
                .allSatisfy(mutation -> assertThat(mutation.name()).matches("[a-z0-9]+(-[a-z0-9]+)*"))
                .allSatisfy(mutation -> assertThat(mutation.description()).matches("[a-z][^\n]+[^.]"))
                .allSatisfy(mutation -> assertThat(mutation.target()).matches("7\\.[12]\\.\\d+( T\\d\\d)?"));
    }

    /** Two browsers with one seed create the same response, so only the mutation can differ. */
    @ParameterizedTest
    @MethodSource("everything")
    void every_mutation_changes_the_response(Mutation mutation) {
        boolean registering = mutation.ceremony() == CeremonyType.REGISTRATION;
        assertThat(response(mutation.ceremony(), mutation))
                .isNotEqualTo(registering ? UNCHANGED_REGISTRATION : UNCHANGED_ASSERTION);
    }

    @Test
    void two_browsers_with_one_seed_agree() {
        assertThat(response(CeremonyType.REGISTRATION, null)).isEqualTo(UNCHANGED_REGISTRATION);
        assertThat(response(CeremonyType.AUTHENTICATION, null)).isEqualTo(UNCHANGED_ASSERTION);
    }

    @Test
    void a_passkey_is_kept_only_for_valid_mutations() {
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

    /** Returns the response of a ceremony, unchanged if the mutation is null. */
    private static String response(CeremonyType ceremony, Mutation mutation) {
        SoftBrowser browser = experiencedBrowser();
        if (ceremony == CeremonyType.REGISTRATION) {
            String options = Options.creation("example.com", "bob").replace("direct", "none");
            return mutation == null ? browser.create(options) : browser.create(options, mutation);
        }
        String options = Options.request("example.com").replace(Options.LOGIN_CHALLENGE, Options.CHALLENGE);
        return mutation == null ? browser.get(options) : browser.get(options, mutation);
    }

    /** A browser with the passkeys of two users and an earlier sign-in, as some preconditions require. */
    private static SoftBrowser experiencedBrowser() {
        SoftBrowser browser = browser();
        browser.authenticator().restore(PASSKEYS);
        browser.picks("alice").get(Options.request("example.com"));
        return browser;
    }

    /** The passkeys of mallory and alice, generated once because that is slow. */
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
