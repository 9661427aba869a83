// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.PasskeyConfig;
import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.store.MemoryChallengeStore;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.sqlite.SQLiteDataSource;

class PasskeysEndpointTest {
    private static final String EXPOSED = "management.endpoints.web.exposure.include=*";
    private static final String ENABLED = "management.endpoint.passkeys.access=READ_ONLY";

    private final RecentRefusals refusals = new RecentRefusals(InstantSource.system());
    private final PasskeyService passkeys = new PasskeyService(
            new PasskeyConfig("Shop", "shop.example", "https://shop.example"),
            new SQLiteDataSource(),
            new MemoryChallengeStore());
    private final UserCauses causes = new UserCauses(passkeys, user -> true, handle -> null);
    private final PasskeysEndpoint endpoint = new PasskeysEndpoint(refusals, causes);

    @Test
    void the_endpoint_is_off_until_it_is_enabled_and_exposed() {
        var application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(PasskeysEndpointAutoConfiguration.class))
                .withBean(PasskeyService.class, () -> passkeys);

        application.run(context -> assertThat(context).doesNotHaveBean(RecentRefusals.class));
        application
                .withPropertyValues(EXPOSED)
                .run(context -> assertThat(context).doesNotHaveBean(RecentRefusals.class));
        application
                .withPropertyValues(ENABLED)
                .run(context -> assertThat(context).doesNotHaveBean(RecentRefusals.class));
        application
                .withPropertyValues(EXPOSED, ENABLED)
                .run(context -> assertThat(context)
                        .hasSingleBean(PasskeysEndpoint.class)
                        .hasSingleBean(RecentRefusals.class));
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void every_step_has_the_words_of_the_console(Step step) {
        Cause cause = Cause.find("step", step.code());

        assertThat(cause).isNotNull();
        assertThat(cause.what()).isNotEmpty();
        assertThat(cause.advice()).isNotEmpty().doesNotStartWith("@");
        assertThat(cause.settings()).allMatch(name -> name.matches("(porchlight|spring)\\.[a-z.-]+"));
    }

    /** An application has no enrollment links, sign-up, console or commands of the service, and no environment variables of it. */
    @Test
    void no_explanation_speaks_of_what_only_the_service_has() {
        List<Cause> causes = Stream.of(
                        Stream.of(Step.values()).map(step -> Cause.find("step", step.code())),
                        Stream.of(
                                        "insecure",
                                        "unsupported",
                                        "blocked",
                                        "dismissed",
                                        "timeout",
                                        "duplicate",
                                        "config",
                                        "authenticator",
                                        "expired",
                                        "exists",
                                        "closed",
                                        "limited",
                                        "unavailable",
                                        "network",
                                        "waiting")
                                .map(code -> Cause.find("browser", code)),
                        Stream.of("unknown_user", "no_passkey", "passkey_removed", "wrong_address")
                                .map(code -> Cause.find("user", code)))
                .flatMap(each -> each)
                .toList();

        assertThat(causes)
                .doesNotContainNull()
                .allSatisfy(cause -> assertThat(cause.what() + ' ' + cause.advice())
                        .doesNotContainIgnoringCase("enrollment link")
                        .doesNotContainIgnoringCase("sign-up")
                        .doesNotContain("porchlight passkeys", "./porchlight", "console", "closest names")
                        .doesNotContainPattern("[A-Z]+_[A-Z_]+"));
    }

    @Test
    void advice_names_properties_instead_of_variables() {
        assertThat(Cause.find("step", Step.ALGORITHM.code()).advice()).contains("porchlight.algorithms=ES256,RS256");
        assertThat(Cause.find("step", Step.CHALLENGE_IN_TIME.code()).settings())
                .containsExactly("porchlight.challenge-ttl");
    }

    @Test
    void an_unknown_code_is_not_found() {
        assertThat(endpoint.explain("K7-4QX")).isNull();
        assertThat(endpoint.page("K7-4QX")).contains("no failed request with this code");
        assertThat(endpoint.page(null)).contains("<form>").doesNotContain("no failed request");
    }

    @Test
    void the_page_shows_what_clients_sent_as_text() {
        refusals.add("an address", refusal(System.currentTimeMillis(), "K7-4QX", "<script>alert(1)</script>"));

        assertThat(endpoint.explain("k7-4qx")).hasSize(1);
        assertThat(endpoint.page("k7-4qx"))
                .contains("The passkey is not registered here.", "K7-4QX", "&lt;script&gt;")
                .doesNotContain("<script");
        assertThat(endpoint.page("\"><script>")).doesNotContain("<script", "\"\">");
    }

    static Refusal refusal(long at, String code, String found) {
        return new Refusal(
                at,
                code,
                "correlation",
                "login",
                "ada",
                "",
                new Cause("unknown_credential", "The passkey is not registered here."),
                "",
                found);
    }
}
