// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.passkey.Step;
import dev.porchlight.server.config.Setting;
import dev.porchlight.server.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CauseTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Path TEXTS = ROOT.resolve("server/src/main/resources/dev/porchlight/server/history");

    /** Codes that are neither of a step nor of a browser. */
    private static final List<String> OTHERS = List.of(
            "registration.dismissed",
            "account.refused",
            "service.failed",
            "service.challenge_used",
            "service.invalid_user_id",
            "signup.invalid_user_id",
            "service.recovery_off",
            "service.recovery_unknown_user",
            "service.recovery_no_codes",
            "service.recovery_wrong_code",
            "service.recovery_incomplete",
            "service.recovery_code_used",
            "service.recovery_locked",
            "service.recovery_role",
            "user.unknown_user",
            "user.no_passkey",
            "user.sign_in_ended",
            "user.passkey_removed",
            "user.wrong_address",
            "user.invited",
            "user.erased",
            "enrollment.enrollment_expired",
            "enrollment.enrollment_used",
            "enrollment.enrollment_locked",
            "enrollment.enrollment_revoked",
            "enrollment.enrollment_damaged",
            "enrollment.enrollment_unknown",
            "enrollment.signup_expired",
            "device.enrollment_expired",
            "device.enrollment_used",
            "device.enrollment_locked",
            "device.enrollment_revoked",
            "device.enrollment_damaged",
            "recovery.enrollment_expired",
            "ended.user_locked",
            "ended.enrollment_damaged",
            "ended.enrollment_locked",
            "ended.enrollment_used",
            "ended.unknown_user",
            "ended.no_passkey",
            "ended.unknown_client",
            "ended.redirect_uri_mismatch",
            "ended.missing_pkce",
            "ended.pushed_request_required",
            "ended.not_in_group",
            "ended.left_group",
            "absent.unknown_client",
            "absent.redirect_uri_mismatch",
            "absent.malformed_request",
            "absent.pkce_mismatch");

    /** Keys with other sentences about a code that has its name elsewhere. */
    private static final Pattern VARIANT =
            Pattern.compile("(absent|account|device|ended|recovery|registration|signup)\\..*");

    private static final Set<String> NOTES = Set.of(
            "explain.no_options",
            "explain.no_clock",
            "explain.not_yet",
            "explain.used_since",
            "explain.no_user",
            "explain.passes_now",
            "advice.retry",
            "remedy.locked",
            "remedy.signed_in",
            "remedy.passkey_added",
            "remedy.open_link",
            "remedy.no_passkey",
            "remedy.client_removed",
            "remedy.responds");

    @Test
    void no_explanation_of_a_failure_praises_the_service_or_blames_an_unrelated_setting() {
        assertThat(Cause.TEXTS.values().toString()).doesNotContain("service works");
        assertThat(Cause.of(Step.CREDENTIAL_KNOWN).settings()).isEmpty();
        assertThat(Cause.TEXTS.stringPropertyNames())
                .filteredOn(key -> Cause.TEXTS.getProperty(key).contains("DATABASE_URL"))
                .containsExactlyInAnyOrder("step.challenge_not_found.settings", "step.integrity.settings");
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void every_refusal_has_sentences(Step step) {
        Cause cause = Cause.of(step);

        assertThat(cause.code()).isEqualTo(step.code());
        assertThat(cause.what()).matches("[A-Z].*\\.");
        assertThat(cause.advice()).matches("[A-Z].*\\.");
    }

    @ParameterizedTest
    @EnumSource(value = BrowserOutcome.class, mode = EnumSource.Mode.EXCLUDE, names = "OK")
    void every_browser_outcome_has_sentences(BrowserOutcome outcome) {
        Cause cause = Cause.of(outcome);

        assertThat(cause.code()).isEqualTo(outcome.code());
        assertThat(cause.what()).matches("[A-Z].*\\.");
        assertThat(cause.advice()).matches("[A-Z].*\\.");
        assertThat(BrowserOutcome.of(outcome.code())).isEqualTo(outcome);
    }

    @Test
    void a_success_has_no_cause() {
        assertThat(Cause.of(BrowserOutcome.OK)).isNull();
    }

    @Test
    void no_two_refusals_have_the_same_sentence() {
        Set<String> words = new HashSet<>();
        for (Step step : Step.values()) {
            assertThat(words.add(Cause.of(step).what())).as(step.code()).isTrue();
        }
    }

    @Test
    void a_related_setting_is_named() {
        assertThat(Cause.of(Step.ORIGIN).settings()).contains("RP_ORIGIN");
        assertThat(Cause.of(Step.RP_ID_HASH).settings()).containsExactly("RP_ID");
        assertThat(Cause.of(Step.USER_VERIFIED).settings()).containsExactly("USER_VERIFICATION");
        assertThat(Cause.of(BrowserOutcome.CONFIG).settings()).contains("RP_ID", "RP_ORIGIN");
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void a_setting_in_the_advice_is_named(Step step) {
        Cause cause = Cause.of(step);

        assertThat(Settings.all().stream()
                        .map(Setting::name)
                        .filter(name -> cause.advice().contains(name + '=')))
                .isSubsetOf(cause.settings());
    }

    @Test
    void every_key_of_the_file_belongs_to_a_code_and_every_setting_exists() {
        Set<String> known = new HashSet<>(NOTES);
        known.addAll(Set.of("advice.client", "advice.authenticator", "advice.openid"));
        Stream.of(
                        Stream.of(Step.values()).map(step -> "step." + step.code()),
                        Stream.of(BrowserOutcome.values())
                                .filter(outcome -> outcome != BrowserOutcome.OK)
                                .map(outcome -> "browser." + outcome.code()),
                        OTHERS.stream())
                .flatMap(codes -> codes)
                .forEach(code -> Stream.of(".what", ".advice", ".settings").forEach(part -> known.add(code + part)));

        assertThat(known)
                .containsAll(Cause.TEXTS.stringPropertyNames().stream()
                        .filter(key -> !key.startsWith("openid.")) // RefusalTest checks those
                        .toList());
        assertThat(Stream.of(Step.values()).map(Cause::of).flatMap(cause -> cause.settings().stream()))
                .isSubsetOf(Settings.all().stream().map(Setting::name).toList());
        assertThat(Stream.of(BrowserOutcome.values())
                        .filter(outcome -> outcome != BrowserOutcome.OK)
                        .flatMap(outcome -> Cause.of(outcome).settings().stream()))
                .isSubsetOf(Settings.all().stream().map(Setting::name).toList());
    }

    static List<String> languages() throws IOException {
        try (Stream<Path> files = Files.list(TEXTS)) {
            return files.flatMap(file -> Pattern.compile("causes_(.*)\\.properties")
                            .matcher(file.getFileName().toString())
                            .results())
                    .map(name -> name.group(1))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("languages")
    void every_sentence_is_translated(String language) {
        Properties translated = Cause.texts(language);
        Set<String> words = Cause.TEXTS.stringPropertyNames().stream()
                .filter(key -> !key.endsWith(".settings")
                        && !Cause.TEXTS.getProperty(key).startsWith("@"))
                .collect(toSet());
        List.copyOf(words).stream()
                .filter(key -> key.endsWith(".what") && !VARIANT.matcher(key).matches())
                .forEach(key -> words.add(key.replace(".what", ".name")));
        Stream.of(Step.values()).forEach(step -> words.add("step." + step.code() + ".check"));

        assertThat(translated.stringPropertyNames())
                .filteredOn(key -> !key.matches("openid\\..*\\.(name|what)")) // RefusalTest checks those
                .containsExactlyInAnyOrderElementsOf(words);
        Cause cause = Cause.of(Step.SIGNATURE).in(language);
        assertThat(List.of(cause.what(), cause.advice()))
                .containsExactly(
                        translated.getProperty("step.bad_signature.what"),
                        translated.getProperty("advice.authenticator"));
        assertThat(Cause.of(Step.SIGNATURE).in("en")).isEqualTo(Cause.of(Step.SIGNATURE));
    }

    @ParameterizedTest
    @MethodSource("languages")
    void a_code_has_one_name(String language) {
        assertThat(Cause.texts(language).stringPropertyNames())
                .filteredOn(key -> key.endsWith(".name"))
                .extracting(key -> key.split("\\.", -1)[1])
                .doesNotHaveDuplicates();
    }

    @Test
    void a_refusal_of_a_sign_up_is_named_in_each_language() throws IOException {
        assertThat(Cause.names("en")).containsEntry("console.code.user_exists", "user exists");
        for (String language : languages()) {
            assertThat(Cause.names(language))
                    .containsEntry(
                            "console.code.user_exists", Cause.texts(language).getProperty("browser.exists.name"))
                    .containsEntry(
                            "console.code.signup_closed", Cause.texts(language).getProperty("browser.closed.name"));
        }
    }

    @Test
    void the_documentation_has_the_same_words() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/reference/refusal-codes.md"));
        Pattern status = Pattern.compile(" \\| (\\d{3}|logs) \\| "); // ApiDocTest checks it

        assertThat(page.lines()
                        .filter(line -> line.startsWith("| `"))
                        .map(line -> status.matcher(line).replaceFirst(" | ")))
                .containsExactlyElementsOf(
                        Stream.of(Step.values()).map(CauseTest::row).toList());
    }

    private static String row(Step step) {
        Cause cause = Cause.of(step);
        String settings =
                cause.settings().stream().map(setting -> '`' + setting + '`').collect(joining(", "));
        return "| `" + step.code() + "` | " + cause.what() + " | " + settings + (settings.isEmpty() ? "|" : " |");
    }

    @Test
    void every_failure_of_the_service_has_sentences() {
        Cause cause = Cause.ofService("failed");

        assertThat(cause.what()).matches("[A-Z].*\\.");
        assertThat(cause.advice()).matches("[A-Z].*\\.");
    }
}
