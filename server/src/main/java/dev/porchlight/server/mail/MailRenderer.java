// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import dev.porchlight.base.DisplayText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes mails as plain text and as HTML, in the language of the recipient. Thread-safe. */
public final class MailRenderer {
    /** Loads nothing from elsewhere, so that opening a mail notifies no server. */
    private static final String HTML = "<!doctype html><html lang=\"%s\" dir=\"%s\"><head><meta charset=\"utf-8\">"
            + "<meta name=\"color-scheme\" content=\"light dark\"><title>%s</title></head>"
            + "<body style=\"font:16px/1.5 sans-serif;max-width:36em;margin:0 auto;padding:1em\">%s</body></html>";

    private final String name;
    private final String support;
    private final Function<@Nullable String, MailTexts> languages;

    /**
     * A renderer for the mails of this service.
     *
     * @param name of the service
     * @param support the address of a page, a mailbox or a telephone; empty for none
     * @param languages finds the texts for a language tag, or the default ones
     */
    public MailRenderer(String name, String support, Function<@Nullable String, MailTexts> languages) {
        this.name = name;
        this.support = support;
        this.languages = languages;
    }

    /** The parts of a mail. */
    record Rendered(String subject, String text, String html, String language) {}

    Rendered render(Notice notice, MailMessage message) {
        MailTexts texts = languages.apply(message.locale());
        Locale locale = Locale.forLanguageTag(texts.tag());
        Map<String, String> values = Map.of(
                "name", name,
                "user", message.userId(),
                "date", date(message.at(), locale),
                "until", date(message.until(), locale),
                "support", support);
        String key = "mail." + notice.code();
        // The value has no bidirectional marks, which mail programs show in lists.
        String subject = filled(texts.text(key + ".subject"), values, DisplayText::visible);
        String link = message.link();
        boolean own = notice == Notice.INVITATION || notice == Notice.VERIFICATION;
        String linkText = texts.text(own ? key + ".link" : "mail.account");
        String body = texts.text(key + ".text");
        String hint = notice == Notice.TEST ? "" : texts.text(key + ".hint");
        String help = support.isEmpty() ? "" : texts.text("mail.support");
        UnaryOperator<String> isolated = value -> '\u2068' + DisplayText.visible(value) + '\u2069';
        UnaryOperator<String> plain = texts.direction().equals("rtl") ? isolated : DisplayText::visible;
        String text = paragraphs(
                "",
                "\n\n",
                filled(body, values, plain),
                link.isEmpty() ? "" : linkText + ":\n" + link,
                filled(hint, values, plain),
                filled(help, values, plain));
        UnaryOperator<String> marked = value -> "<bdi>" + escaped(DisplayText.visible(value)) + "</bdi>";
        String html = paragraphs(
                "<p>",
                "</p>",
                filled(escaped(body), values, marked),
                link.isEmpty() ? "" : "<a href=\"" + escaped(link) + "\">" + escaped(linkText) + "</a>",
                filled(escaped(hint), values, marked),
                filled(escaped(help), values, marked));
        return new Rendered(
                subject,
                text,
                HTML.formatted(
                        texts.tag(),
                        texts.direction(),
                        escaped(subject),
                        "<h1 style=\"font-size:1.2em\">" + escaped(subject) + "</h1>" + html),
                texts.tag());
    }

    private static String paragraphs(String before, String after, String... texts) {
        StringBuilder all = new StringBuilder();
        Stream.of(texts)
                .filter(text -> !text.isEmpty())
                .forEach(text -> all.append(before).append(text).append(after));
        return all.toString();
    }

    /** Replaces the placeholders of a text; values are not searched for others. */
    private static String filled(String text, Map<String, String> values, UnaryOperator<String> form) {
        StringBuilder filled = new StringBuilder();
        int from = 0;
        for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', from)) {
            int close = text.indexOf('}', open);
            String value = close < 0 ? null : values.get(text.substring(open + 1, close));
            int next = value == null ? open + 1 : close + 1;
            filled.append(text, from, value == null ? next : open);
            filled.append(value == null ? "" : form.apply(value));
            from = next;
        }
        return filled.append(text, from, text.length()).toString();
    }

    private static String date(long millis, Locale locale) {
        return DateTimeFormatter.ofLocalizedDateTime(FormatStyle.LONG, FormatStyle.SHORT)
                        .withLocale(locale)
                        .withZone(ZoneOffset.UTC)
                        .format(Instant.ofEpochMilli(millis))
                + " UTC";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
