// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.e2e.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Searches documentation, pages, messages, comments and identifiers for the words in words.txt. */
class PlainEnglishTest {
    private static final Pattern CHECKED = Pattern.compile(
            ".*\\.(java|js|mjs|ts|html|css|md|json|ya?ml|properties|xml|sh|service)|.*/(porchlight|mvnw|"
                    + "build|run|prerequisites)");
    private static final Pattern FOREIGN =
            Pattern.compile(".*(/vectors/|/simplewebauthn/|package-lock\\.json|providers\\.js|ctap-registry|"
                    + "/texts-(?!en)[a-z]+\\.js).*");
    private static final Set<String> SKIPPED = Set.of("target", "node_modules", ".git", ".idea", "data");

    private static final Pattern WORD = Pattern.compile("[a-z]+");
    private static final String STYLE_PAGE = "docs/internals/style.md";

    /** A regular expression and a hint, or the end of a path and a text. */
    private record Entry(String left, String right) {}

    @Test
    void no_file_uses_a_word_of_the_list() throws IOException {
        List<Entry> words = entries("words.txt");
        List<Entry> exceptions = entries("exceptions.txt");
        Pattern any =
                Pattern.compile(words.stream().map(Entry::left).collect(Collectors.joining("|", "\\b(?:", ")\\b")));
        Map<String, Boolean> beginnings = new HashMap<>(); // searching at every word takes seconds
        List<String> found = new ArrayList<>();

        for (Path file : checked()) {
            String text = readable(name(file), Files.readString(file), exceptions);
            Matcher word = WORD.matcher(text);
            Matcher match = any.matcher(text);
            while (word.find()) {
                boolean begins = beginnings.computeIfAbsent(word.group(), one -> canBegin(any, one));
                if (begins && match.region(word.start(), text.length()).lookingAt()) {
                    long line = text.substring(0, match.end()).lines().count();
                    found.add(name(file) + ':' + line + ": \"" + match.group() + "\", better: "
                            + hint(words, match.group()));
                }
            }
        }
        assertThat(found).as(found.size() + " words; see " + STYLE_PAGE).isEmpty();
    }

    @Test
    void every_exception_is_needed() throws IOException {
        List<Entry> unused = new ArrayList<>(entries("exceptions.txt"));
        for (Path file : checked()) {
            String text = Files.readString(file);
            unused.removeIf(exception -> applies(exception, name(file)) && text.contains(exception.right()));
        }
        assertThat(unused).isEmpty();
    }

    /** The project's own text files. */
    private static List<Path> checked() throws IOException {
        return Page.files("", SKIPPED)
                .filter(file -> CHECKED.matcher('/' + name(file)).matches())
                .filter(file -> !FOREIGN.matcher(name(file)).matches())
                .toList();
    }

    private static String name(Path file) {
        return Page.ROOT.relativize(file).toString();
    }

    /** Removes exceptions and splits identifiers into lower-case words, without changing line numbers. */
    private static String readable(String name, String text, List<Entry> exceptions) {
        String readable = name.equals(STYLE_PAGE) ? text.substring(0, text.indexOf("## Words")) : text;
        for (Entry exception : exceptions) {
            if (applies(exception, name)) {
                readable = readable.replace(exception.right(), "");
            }
        }
        StringBuilder words = new StringBuilder(readable.length() + 1_000);
        char previous = ' ';
        for (int i = 0; i < readable.length(); i++) {
            char next = readable.charAt(i);
            if (next >= 'A' && next <= 'Z') {
                if (previous >= 'a' && previous <= 'z') {
                    words.append(' ');
                }
                words.append((char) (next + 'a' - 'A'));
            } else {
                words.append(next == '_' ? ' ' : next);
            }
            previous = next;
        }
        return words.toString();
    }

    private static boolean applies(Entry exception, String name) {
        return exception.left().equals("*") || name.endsWith(exception.left());
    }

    /** Whether a text that begins with this word can match. */
    private static boolean canBegin(Pattern pattern, String word) {
        Matcher matcher = pattern.matcher(word);
        return matcher.lookingAt() || matcher.hitEnd();
    }

    private static String hint(List<Entry> words, String match) {
        return words.stream()
                .filter(word -> Pattern.compile(word.left()).matcher(match).matches())
                .map(Entry::right)
                .findFirst()
                .orElseThrow();
    }

    private static List<Entry> entries(String resource) throws IOException {
        try (InputStream in = PlainEnglishTest.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" -> ", 2))
                    .map(parts -> new Entry(parts[0], parts[1]))
                    .toList();
        }
    }
}
