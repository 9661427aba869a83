// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Locale.LanguageRange;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** Something in every language of the pages, chosen by the request header {@code Accept-Language}. Immutable. */
final class Languages<T> {
    /** Longer headers are ignored. Browsers send a few dozen characters. */
    private static final int MAX_HEADER = 500;

    /** The shipped languages. The first one is the fallback. */
    static final Languages<Language> SHIPPED =
            of(Stream.of("en", "de", "es").map(Language::read).toList());

    private final Map<Locale, T> byLocale;
    private final T fallback;

    private Languages(Map<Locale, T> byLocale) {
        this.byLocale = Collections.unmodifiableMap(byLocale);
        this.fallback = byLocale.values().iterator().next();
    }

    /** Returns these languages. The first one is the fallback. */
    static Languages<Language> of(List<Language> languages) {
        Map<Locale, Language> byLocale = new LinkedHashMap<>();
        languages.forEach(language -> byLocale.put(language.locale(), language));
        return new Languages<>(byLocale);
    }

    /** The tags of the languages, the fallback first. */
    List<String> tags() {
        return byLocale.keySet().stream().map(Locale::toLanguageTag).toList();
    }

    /** Returns what a function makes of each language. */
    <R> Languages<R> map(Function<T, R> function) {
        Map<Locale, R> mapped = new LinkedHashMap<>();
        byLocale.forEach((locale, value) -> mapped.put(locale, function.apply(value)));
        return new Languages<>(mapped);
    }

    /** Returns the best match of the header's values, or the fallback. */
    T choose(List<String> acceptLanguage) {
        String header = String.join(",", acceptLanguage);
        if (header.isBlank() || header.length() > MAX_HEADER) {
            return fallback;
        }
        try {
            Locale best = Locale.lookup(LanguageRange.parse(header), byLocale.keySet());
            return best == null ? fallback : Objects.requireNonNull(byLocale.get(best));
        } catch (IllegalArgumentException e) {
            return fallback; // malformed
        }
    }
}
