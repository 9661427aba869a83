// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An HTML file with placeholders. Immutable.
 *
 * <ul>
 *   <li><code>{{head}}</code>: the file with the elements that the heads of all pages have
 *   <li><code>{{name}}</code>: a value, such as a setting
 *   <li><code>{{signin.title}}</code>: a text of the language. In it, <code>{name}</code> is a value, and
 *       <code>{signin.button}</code> is another text, which is emphasized. Code is between backticks.
 *   <li><code>{{texts signin error}}</code>: groups of texts as JSON, for scripts
 * </ul>
 */
public final class PageTemplate {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(?:texts ([a-z ]+)|([\\w.]+))}}");
    private static final Pattern PLACEHOLDER_IN_TEXT = Pattern.compile("\\{([\\w.]+)}");
    private static final Pattern CODE_IN_TEXT = Pattern.compile("`([^`]+)`");

    private final String html;

    PageTemplate(String file) {
        html = withHead(text(file));
    }

    /** Replaces the placeholder of the head. Others remain. */
    public static String withHead(String html) {
        return html.replace("{{head}}", text("head.html").strip());
    }

    private static String text(String file) {
        return new String(WebFile.read(file), UTF_8);
    }

    /** Returns the page in a language. Its tag and direction are the values {@code lang} and {@code dir}. */
    byte[] render(Language language, Map<String, String> values) {
        return PLACEHOLDER
                .matcher(html)
                .replaceAll(found -> Matcher.quoteReplacement(replacement(found, language, values)))
                .getBytes(UTF_8);
    }

    private static String replacement(MatchResult found, Language language, Map<String, String> values) {
        if (found.group(1) != null) {
            return language.json(List.of(found.group(1).split(" ")));
        }
        String name = found.group(2);
        return switch (name) {
            case "lang" -> language.tag();
            case "dir" -> language.direction();
            default -> name.contains(".") ? text(name, language, values) : value(name, values);
        };
    }

    private static String text(String key, Language language, Map<String, String> values) {
        String html = CODE_IN_TEXT.matcher(escaped(language.text(key))).replaceAll("<code dir=\"ltr\">$1</code>");
        return PLACEHOLDER_IN_TEXT.matcher(html).replaceAll(found -> {
            String name = found.group(1);
            return Matcher.quoteReplacement(
                    name.contains(".") ? "<em>" + escaped(language.text(name)) + "</em>" : value(name, values));
        });
    }

    private static String value(String name, Map<String, String> values) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("unknown placeholder: " + name);
        }
        return escaped(value);
    }

    /** A text in HTML, also in an attribute. */
    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
