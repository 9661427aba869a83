// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.JsonObject;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.history.Cause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The catalogs are complete, and the pages and scripts contain no texts. */
class TextsTest {
    private static final Path ROOT = Path.of(System.getProperty("porchlight.root"));
    private static final Path SERVER = ROOT.resolve("server/src/main/resources/dev/porchlight/server");
    private static final Path WEB = SERVER.resolve("web");
    private static final Path ASSETS = WEB.resolve("assets");
    /** The page of the observe module, whose plots are also the console's. */
    private static final Path PLOTS = ROOT.resolve("observe/src/main/resources/dev/porchlight/observe/page");

    private static final Path ELEMENTS = ROOT.resolve("client/src/porchlight");
    private static final Language ENGLISH = Language.read("en");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[\\w.]+}");
    private static final Pattern KEY = Pattern.compile("'((?!porchlight)[a-z]+(?:\\.(?!js)\\w+)+)'");

    /** Keys that a script of the console completes with a code, such as <code>`console.state.${state}`</code>. */
    private static final Pattern KEYS = Pattern.compile("`(console\\.(?:\\w+\\.)*)\\$\\{");

    private static final Pattern IMPORT =
            Pattern.compile("['\"](\\./|/assets/|/porchlight/)((?!texts-|providers)[\\w-]+\\.js)['\"]");

    /** String literals, and comments, which may contain quotes. */
    private static final Pattern LITERAL = Pattern.compile(
            "//[^\\n]*|/\\*.*?\\*/|'((?:\\\\.|[^'\\\\\\n])*)'|\"((?:\\\\.|[^\"\\\\\\n])*)\"|`((?:\\\\.|[^`\\\\])*)`",
            Pattern.DOTALL);

    /** Literals that are not translated: class names, selectors and commands. */
    private static final Pattern NOT_TRANSLATED = Pattern.compile(
            "(?:class(?:Name)?|autocomplete)(?::| =) ?(?:'[^']*'|`[^`]*`|[^,;}]*)|querySelector(?:All)?\\((?:'[^']*'|`[^`]*`)"
                    + "|commandLine\\('\\./porchlight [^']*'");

    /** Two words, a word that begins with a capital letter, or the end of a sentence. An expression in a template is 0. */
    private static final Pattern WORDS =
            Pattern.compile("(\\p{L}{2,}|0)[,.:;!?…]? +\\p{L}{2,}|^\\W*\\p{Lu}\\p{Ll}+|\\p{Ll}[.!?…]$");

    /** Keys of the keyboard, headers, and names of products, which are the same in every language. */
    private static final Set<String> NAMES = Set.of(
            "Bearer 0",
            "Escape",
            "Edge",
            "Opera",
            "Samsung Internet",
            "Firefox",
            "Chrome",
            "Safari",
            "Android",
            "Windows",
            "ChromeOS",
            "Mac",
            "Linux");

    /** The languages that have a catalog. */
    static List<String> tags() throws IOException {
        return tags(ELEMENTS, "texts-(\\w+)\\.js");
    }

    private static List<String> tags(Path directory, String name) throws IOException {
        return files(directory, "").stream()
                .flatMap(file -> Pattern.compile(name)
                        .matcher(file.getFileName().toString())
                        .results())
                .map(file -> file.group(1))
                .toList();
    }

    private static List<String> tags(Languages languages) {
        return languages.all().stream().map(Language::tag).toList();
    }

    @Test
    void every_directory_of_texts_has_the_shipped_languages() throws IOException {
        List<String> shipped = tags(Languages.SHIPPED);

        assertThat(tags()).containsExactlyInAnyOrderElementsOf(shipped).contains("en", "de", "es", "fr", "ar");
        assertThat(tags(WEB.resolve("texts/console"), "(\\w+)\\.json")).containsExactlyInAnyOrderElementsOf(shipped);
        assertThat(tags(WEB.resolve("texts/mail"), "(\\w+)\\.json")).containsExactlyInAnyOrderElementsOf(shipped);
        assertThat(tags(SERVER.resolve("history"), "causes_(\\w+)\\.properties"))
                .containsExactlyInAnyOrderElementsOf(shipped.subList(1, shipped.size()));
    }

    @ParameterizedTest
    @MethodSource("tags")
    void a_language_has_every_text_with_the_same_placeholders(String tag) {
        Language language = Language.read(tag);
        assertThat(language.texts().keySet())
                .containsAll(ENGLISH.texts().keySet())
                .filteredOn(key -> !Cause.names(tag).containsKey(key)) // CauseTest and RefusalTest check those
                .isSubsetOf(ENGLISH.texts().keySet());
        ENGLISH.texts()
                .forEach((key, text) -> assertThat(placeholders(language.text(key)))
                        .as(tag + " " + key)
                        .isEqualTo(placeholders(text)));
    }

    @Test
    void every_audit_action_has_a_text() {
        assertThat(ENGLISH.texts().keySet().stream()
                        .filter(key -> key.startsWith("console.action."))
                        .map(key -> key.replace("console.action.", "")))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(AuditAction.values()).map(AuditAction::code).toList());
    }

    @ParameterizedTest
    @MethodSource("tags")
    void every_catalog_is_offered(String tag) {
        assertThat(Languages.SHIPPED.choose(List.of(tag)).tag()).isEqualTo(tag);
    }

    @Test
    void every_text_is_used() throws IOException {
        Set<String> used = new TreeSet<>();
        for (Path page : pages()) {
            find(Pattern.compile("\\{\\{(\\w+(?:\\.\\w+)+)}}"), Files.readString(page), used);
        }
        for (Path script : scripts()) {
            used.addAll(keys(Files.readString(script)));
        }
        for (String page : List.of("authorize/ContinueRoutes", "logout/LogoutRoutes", "protocol/Html")) {
            Path source = ROOT.resolve("server/src/main/java/dev/porchlight/server/openid/" + page + ".java");
            find(Pattern.compile("\"(openid\\.\\w+)\""), Files.readString(source), used);
        }
        ENGLISH.texts().values().forEach(text -> find(Pattern.compile("\\{(\\w+\\.\\w+)}"), text, used));
        ENGLISH.texts().keySet().stream() // MailRendererTest uses them
                .filter(key -> key.startsWith("mail."))
                .forEach(used::add);
        String codes = Files.readString(ROOT.resolve("client/src/porchlight.d.ts"))
                + Files.readString(ROOT.resolve("docs/reference/api.md")).replace('`', '\'')
                + Files.readString(ROOT.resolve("docs/reference/refusal-codes.md"))
                        .replace('`', '\'')
                + Files.readString(ELEMENTS.resolve("texts.js"))
                + Files.readString(ELEMENTS.resolve("signin-element.js"));
        ENGLISH.texts().keySet().stream()
                .filter(key -> key.startsWith("error.") && codes.contains(key.replace("error.", "'") + "'"))
                .forEach(used::add);

        assertThat(ENGLISH.texts().keySet()).containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void the_observe_module_has_the_english_texts_that_its_plots_use() throws Exception {
        Set<String> used = new TreeSet<>();
        for (Path script : files(PLOTS, ".js")) {
            used.addAll(keys(Files.readString(script)));
        }
        assertThat(JsonObject.parse(Language.object("texts/plot-texts.js"), "plots")
                        .names())
                .containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void every_error_of_the_helper_has_a_text() throws IOException {
        Set<String> codes = new TreeSet<>();
        find(
                Pattern.compile("^ {2}\\| '([a-z]+)'", Pattern.MULTILINE),
                Files.readString(ROOT.resolve("client/src/porchlight.d.ts")),
                codes);
        codes.remove("aborted"); // canceling shows no error

        assertThat(codes)
                .hasSizeGreaterThan(10)
                .allMatch(code -> ENGLISH.texts().containsKey("error." + code));
    }

    @Test
    void a_page_passes_its_scripts_the_groups_that_they_use() throws IOException {
        for (Path page : pages()) {
            String html = Files.readString(page);
            Set<String> keys = new TreeSet<>();
            for (Path script : loaded(html, ASSETS, new TreeSet<>())) {
                keys.addAll(keys(Files.readString(script)));
            }
            Set<String> groups = new TreeSet<>();
            keys.forEach(key -> groups.add(key.substring(0, key.indexOf('.'))));
            if (!groups.isEmpty()) {
                groups.add("error"); // errorText builds the keys
            }
            Set<String> passed = new TreeSet<>();
            find(Pattern.compile("\\{\\{texts (.*)}}"), html, passed);
            assertThat(passed.stream().flatMap(list -> Stream.of(list.split(" "))))
                    .as(page.toString())
                    .containsExactlyInAnyOrderElementsOf(groups);
        }
    }

    @Test
    void a_page_contains_no_text() throws IOException {
        for (Path page : pages()) {
            String html = Files.readString(page)
                    .replaceAll("\\{\\{[^}]*}}", "")
                    .replaceAll("<input type=\"radio\"[^>]*>", "");
            String attributes = Pattern.compile(
                            " (?:title|aria-label|placeholder|alt|value)=\"([^\"]*)|name=\"description\" content=\"([^\"]*)")
                    .matcher(html)
                    .results()
                    .map(TextsTest::group)
                    .collect(joining());
            assertThat(html.replaceAll("<[^>]*>", "") + attributes)
                    .as(page.toString())
                    .doesNotContainPattern("\\p{L}");
        }
    }

    @Test
    void a_script_contains_no_text() throws IOException {
        for (Path script : scripts()) {
            assertThat(literals(Files.readString(script)))
                    .as(script.getFileName().toString())
                    .noneMatch(literal -> WORDS.matcher(literal).find() && !NAMES.contains(literal));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"'Try again'", "\"Save\"", "`Go to ${x}`", "`${x ? 'Not now' : y}`", "'not now'", "'done.'"})
    void a_text_in_a_script_is_found(String literal) {
        assertThat(literals("show(" + literal + "); // Don't"))
                .anyMatch(found -> WORDS.matcher(found).find());
    }

    /** The keys of the texts that a script uses. */
    private static Set<String> keys(String script) {
        Set<String> keys = new TreeSet<>();
        find(KEY, script, keys);
        keys.stream()
                .filter(key -> ENGLISH.texts().containsKey(key + ".other"))
                .toList()
                .forEach(key -> {
                    keys.remove(key);
                    keys.addAll(List.of(key + ".one", key + ".other"));
                });
        Set<String> prefixes = new TreeSet<>();
        find(KEYS, script, prefixes);
        for (String prefix : prefixes) {
            List<String> completed = ENGLISH.texts().keySet().stream()
                    .filter(key -> key.startsWith(prefix))
                    .toList();
            assertThat(completed).as(prefix).isNotEmpty();
            keys.addAll(completed);
        }
        return keys;
    }

    private static Set<String> literals(String script) {
        Set<String> literals = new TreeSet<>();
        LITERAL.matcher(NOT_TRANSLATED.matcher(script).replaceAll("")).results().forEach(found -> {
            String literal = group(found);
            literals.add(literal.replaceAll("\\$\\{.*?}", "0"));
            if (found.group(3) != null) {
                literals.addAll(literals(literal)); // within ${}
            }
        });
        return literals;
    }

    /** The scripts that a page or a script in a directory loads, directly or not. */
    private static Set<Path> loaded(String source, Path directory, Set<Path> loaded) throws IOException {
        for (MatchResult found : IMPORT.matcher(source).results().toList()) {
            Path place = Map.of("./", directory, "/assets/", ASSETS, "/porchlight/", ELEMENTS)
                    .get(found.group(1));
            Path own = place.resolve(found.group(2));
            Path script = Files.exists(own) ? own : PLOTS.resolve(found.group(2));
            if (loaded.add(script)) {
                loaded(Files.readString(script), place, loaded);
            }
        }
        return loaded;
    }

    private static List<String> placeholders(String text) {
        return PLACEHOLDER
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .sorted()
                .toList();
    }

    private static void find(Pattern pattern, String text, Set<String> found) {
        pattern.matcher(text).results().map(TextsTest::group).forEach(found::add);
    }

    /** Returns the group that matched, or an empty string. */
    private static String group(MatchResult found) {
        for (int i = 1; i <= found.groupCount(); i++) {
            if (found.group(i) != null) {
                return found.group(i);
            }
        }
        return "";
    }

    private static List<Path> pages() {
        return files(WEB, ".html");
    }

    private static List<Path> scripts() {
        return Stream.of(ASSETS, ELEMENTS, PLOTS)
                .flatMap(directory -> files(directory, ".js").stream())
                .filter(file -> !file.getFileName()
                                .toString()
                                .matches("(texts-\\w+|plot-texts|providers|style|prf)\\.js") // prf.js: as the helper
                        && !file.equals(PLOTS.resolve("texts.js")))
                .toList();
    }

    private static List<Path> files(Path directory, String ending) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
