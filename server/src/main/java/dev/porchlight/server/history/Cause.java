// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.Step;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The cause of a failed ceremony, for operators. The words about a code are in {@code causes.properties}, and in other
 * languages in the files beside it.
 *
 * @param source the first part of the keys of its sentences; empty if another instance wrote them
 * @param code the code of a {@link Step}, of a {@link BrowserOutcome}, of a client's refusal or of the service
 * @param what a sentence that says what happened
 * @param advice what to do
 * @param settings the names of related settings
 * @param remedy the name of other advice, because of what happened since; empty if the advice of the code applies
 */
public record Cause(String source, String code, String what, String advice, List<String> settings, String remedy) {
    static final Properties TEXTS = Objects.requireNonNull(load("causes.properties"));

    /** The translated texts by language tag, read when they are first needed. */
    private static final Map<String, Properties> TRANSLATED = new ConcurrentHashMap<>();

    public Cause {
        settings = List.copyOf(settings);
    }

    /** The cause of a refusal. */
    public static Cause of(Step step) {
        return read("step", step.code());
    }

    /** The cause of an outcome that a browser reported; null for a success. */
    static @Nullable Cause of(BrowserOutcome outcome) {
        return of(outcome, "browser");
    }

    /** The cause of an outcome of a ceremony, which may have its own words for it. */
    static @Nullable Cause of(BrowserOutcome outcome, String ceremony) {
        String source = TEXTS.containsKey(ceremony + '.' + outcome.code() + ".what") ? ceremony : "browser";
        return outcome == BrowserOutcome.OK ? null : read(source, outcome.code());
    }

    /** The cause of a failure in the service itself. */
    static Cause ofService(String code) {
        return read("service", code);
    }

    /** The cause of a failure that only the database knows: something about the user. */
    public static Cause ofUser(String code) {
        return read("user", code);
    }

    /** A cause that no longer applies, because a lock has ended or a link has expired since. */
    public static Cause ended(String code) {
        return read("ended", code);
    }

    /** This cause with other advice than that of its code, because of what happened since. */
    public Cause withRemedy(String name) {
        return new Cause(source, code, what, text("remedy." + name), List.of(), name);
    }

    /** The cause of a refused name at sign-up. */
    static Cause ofSignUp(String code) {
        return read("signup", code);
    }

    /** A note about a step that was explained, in a shipped language. */
    public static String note(String name, String language) {
        return Objects.requireNonNull(texts(language).getProperty("explain." + name), name);
    }

    /** The cause of a refused enrollment token; {@code origin} is {@code enrollment}, {@code device} or {@code recovery}. */
    static Cause ofEnrollment(String code, String origin) {
        return read(TEXTS.containsKey(origin + '.' + code + ".what") ? origin : "enrollment", code);
    }

    /**
     * The cause of a refused request of an OpenID Connect client.
     *
     * @param absent whether the request lacks the parameter, for which some codes have other words
     */
    static Cause ofClient(String code, String sentence, boolean absent) {
        if (absent && TEXTS.containsKey("absent." + code + ".what")) {
            return read("absent", code);
        }
        String advice = TEXTS.getProperty("openid." + code + ".advice", text("advice.openid"));
        return new Cause("openid", code, sentence, advice, List.of(), "");
    }

    /** Returns the cause in a shipped language, or as another instance wrote it. */
    public Cause in(String language) {
        if (source.isEmpty()) {
            return this;
        }
        Properties texts = texts(language);
        String key = source + '.' + code;
        String shared = TEXTS.getProperty(key + ".advice", "@openid");
        String ofCode = shared.startsWith("@") ? "advice." + shared.substring(1) : key + ".advice";
        String adviceKey = remedy.isEmpty() ? ofCode : "remedy." + remedy;
        return new Cause(
                source,
                code,
                texts.getProperty(key + ".what", what),
                texts.getProperty(adviceKey, advice),
                settings,
                remedy);
    }

    /** Reads what {@link #write} wrote. */
    public static Cause read(JsonObject json) throws MalformedException {
        return new Cause("", json.text("code"), json.text("what"), json.text("advice"), json.texts("settings"), "");
    }

    public void write(JsonWriter json) {
        json.text("code", code).text("what", what).text("advice", advice).texts("settings", settings);
    }

    private static Cause read(String source, String code) {
        String key = source + '.' + code;
        String advice = text(key + ".advice");
        String settings = TEXTS.getProperty(key + ".settings", "");
        return new Cause(
                source,
                code,
                text(key + ".what"),
                advice.startsWith("@") ? text("advice." + advice.substring(1)) : advice,
                settings.isEmpty() ? List.of() : List.of(settings.split(", ", -1)),
                "");
    }

    private static String text(String key) {
        return Objects.requireNonNull(TEXTS.getProperty(key), key);
    }

    /** Returns the names of codes and of the checks behind them, by the keys that the console uses. In English they are the code's words. */
    public static Map<String, String> names(String language) {
        Map<String, String> names = new TreeMap<>();
        for (Step step : Step.values()) {
            names.put("console.code." + step.code() + ".check", step.label());
        }
        Properties texts = texts(language);
        for (String key : texts.stringPropertyNames()) {
            String[] part = key.split("\\.", -1);
            String name = "console.code." + part[1];
            switch (part[part.length - 1]) {
                case "what" -> names.putIfAbsent(name, part[1].replace('_', ' '));
                case "name" -> names.put(name, texts.getProperty(key));
                case "check" -> names.put(name + ".check", texts.getProperty(key));
                default -> {}
            }
        }
        names.put("console.code.user_exists", texts.getProperty("browser.exists.name", "user exists"));
        names.put("console.code.signup_closed", texts.getProperty("browser.closed.name", "signup closed"));
        return names;
    }

    /** Returns the texts in a language, or in English if they are not translated. */
    static Properties texts(String language) {
        return TRANSLATED.computeIfAbsent(
                language, tag -> Objects.requireNonNullElse(load("causes_" + tag + ".properties"), TEXTS));
    }

    private static @Nullable Properties load(String name) {
        var texts = new Properties();
        try (var file = Cause.class.getResourceAsStream(name)) {
            if (file == null) {
                return null;
            }
            texts.load(new InputStreamReader(file, UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return texts;
    }
}
