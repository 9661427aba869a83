// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import dev.porchlight.server.config.TextFiles;
import dev.porchlight.server.http.Exchange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Locale.LanguageRange;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The languages that pages are offered in: the shipped ones, and those of {@code TEXTS_DIR}. Immutable. */
public final class Languages {
    /** The shipped languages, of the pages and of the console. */
    public static final Languages SHIPPED = new Languages(
            Stream.of("en", "de", "es", "fr", "ar").map(Language::read).toList(), List.of());

    /** Longer headers are ignored. Browsers send a few dozen characters. */
    private static final int MAX_HEADER = 500;

    /** How many missing texts a fault names. */
    private static final int MAX_NAMED = 20;

    private static final Pattern PLACEHOLDER = Pattern.compile("\\{[\\w.]+}");

    /** The first one is the fallback. */
    private final List<Language> all;

    private final List<Locale> locales;
    private final List<String> faults;

    private Languages(List<Language> all, List<String> faults) {
        this.all = all;
        this.locales = all.stream().map(Language::locale).toList();
        this.faults = List.copyOf(faults);
    }

    /** Adds languages and replaces sentences of the shipped ones. A text that is missing or unusable is replaced by its fallback. */
    public static Languages with(Optional<TextFiles> files) {
        if (files.isEmpty()) {
            return SHIPPED;
        }
        Map<String, Language> all = new LinkedHashMap<>();
        SHIPPED.all.forEach(language -> all.put(language.tag(), language));
        List<String> faults = new ArrayList<>();
        files.get().languages().forEach((tag, own) -> {
            Locale locale = Locale.forLanguageTag(tag);
            Language base = SHIPPED.lookup(List.of(new LanguageRange(tag)));
            Map<String, String> texts = new TreeMap<>(base.texts());
            own.forEach((key, text) -> {
                String fault = fault(key, text);
                if (fault.isEmpty()) {
                    texts.put(key, text);
                } else {
                    faults.add(tag + ".json: " + key + ' ' + fault);
                }
            });
            boolean translated = base.locale().getLanguage().equals(locale.getLanguage());
            if (!translated) {
                faults.addAll(missing(tag, own.keySet()));
            }
            all.put(locale.toLanguageTag(), new Language(locale, texts, translated));
        });
        return new Languages(List.copyOf(all.values()), faults);
    }

    /** Why a text cannot be used; empty if it can. */
    private static String fault(String key, String text) {
        String english = SHIPPED.all.get(0).texts().get(key);
        if (english == null) {
            return "is not the key of a text";
        }
        Set<String> unknown = placeholders(text);
        unknown.removeAll(placeholders(english));
        return unknown.isEmpty() ? "" : "has no value for " + String.join(", ", unknown);
    }

    private static List<String> missing(String tag, Set<String> translated) {
        List<String> missing = SHIPPED.all.get(0).texts().keySet().stream()
                .filter(key -> !key.startsWith("console.") && !translated.contains(key))
                .toList();
        int more = missing.size() - MAX_NAMED;
        return missing.isEmpty()
                ? List.of()
                : List.of(tag + ".json: no text, so English is used, for "
                        + missing.stream().limit(MAX_NAMED).collect(Collectors.joining(", "))
                        + (more > 0 ? " and " + more + " more" : ""));
    }

    private static Set<String> placeholders(String text) {
        return PLACEHOLDER
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What is wrong with the files of {@code TEXTS_DIR}: sentences that begin with the name of a file. */
    public List<String> faults() {
        return faults;
    }

    List<Language> all() {
        return all;
    }

    /** The languages that the console is offered in. */
    Languages ofConsole() {
        return new Languages(all.stream().filter(Language::hasConsole).toList(), faults);
    }

    /** The language that a browser prefers. */
    public Language of(Exchange exchange) {
        return choose(exchange.headers("Accept-Language"));
    }

    /** The language that suits a language tag best. */
    public Language of(@Nullable String tag) {
        return choose(Stream.ofNullable(tag).toList());
    }

    /** Returns the best match of the header's values, or the fallback. */
    Language choose(List<String> acceptLanguage) {
        String header = String.join(",", acceptLanguage);
        if (!header.isBlank() && header.length() <= MAX_HEADER) {
            try {
                return lookup(LanguageRange.parse(header));
            } catch (IllegalArgumentException malformed) {
                // use the fallback
            }
        }
        return all.get(0);
    }

    private Language lookup(List<LanguageRange> ranges) {
        return all.get(Math.max(0, locales.indexOf(Locale.lookup(ranges, locales))));
    }
}
