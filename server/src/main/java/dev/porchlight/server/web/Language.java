// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.mail.MailTexts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A language of the pages: its texts by key, such as {@code signin.title}. Immutable. */
public final class Language implements MailTexts {
    private static final Set<String> RIGHT_TO_LEFT = Set.of("ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi");

    private final Locale locale;
    private final Map<String, String> texts;
    private final boolean hasConsole;

    Language(Locale locale, Map<String, String> texts, boolean hasConsole) {
        this.locale = locale;
        this.hasConsole = hasConsole;
        this.texts = Collections.unmodifiableMap(new TreeMap<>(texts));
    }

    /** Reads the shipped catalogs of a language: for users, which the client helper shares, for the console, for mails, and the names of refusals. */
    static Language read(String tag) {
        Map<String, String> texts = new TreeMap<>(Cause.names(tag));
        List<String> files = new ArrayList<>(List.of(
                "porchlight/texts-" + tag + ".js", "texts/console/" + tag + ".json", "texts/mail/" + tag + ".json"));
        if (tag.equals("en")) {
            files.add("texts/plot-texts.js"); // the observe module owns them
        }
        for (String file : files) {
            try {
                JsonObject catalog = JsonObject.parse(object(file), file);
                for (String key : catalog.names()) {
                    texts.put(key, catalog.text(key));
                }
            } catch (MalformedException e) {
                throw new IllegalStateException(file, e);
            }
        }
        return new Language(Locale.forLanguageTag(tag), texts, true);
    }

    /** The JSON object in a file, also of a module that exports it. */
    static String object(String file) {
        String source = new String(WebFile.read(file), UTF_8);
        return source.substring(source.indexOf('{'), source.lastIndexOf('}') + 1);
    }

    Locale locale() {
        return locale;
    }

    /** Whether the texts of the console are translated. */
    boolean hasConsole() {
        return hasConsole;
    }

    @Override
    public String tag() {
        return locale.toLanguageTag();
    }

    @Override
    public String direction() {
        return RIGHT_TO_LEFT.contains(locale.getLanguage()) ? "rtl" : "ltr";
    }

    /** All texts, sorted by key. */
    Map<String, String> texts() {
        return texts;
    }

    @Override
    public String text(String key) {
        String text = texts.get(key);
        if (text == null) {
            throw new IllegalArgumentException("no text " + key + " in " + tag());
        }
        return text;
    }

    /** Returns the texts of some groups as JSON for a page's scripts. A group is the part of the key before the first dot. */
    String json(List<String> groups) {
        String json = JsonWriter.object(members -> texts.forEach((key, text) -> {
            if (groups.contains(key.substring(0, key.indexOf('.')))) {
                members.text(key, text);
            }
        }));
        return json.replace("<", "\\u003c"); // cannot end the script element
    }
}
