// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.DisplayText;
import dev.porchlight.server.auth.EnrollmentFault.Reason;
import dev.porchlight.server.auth.SealedEntries.StoredEntry;
import dev.porchlight.server.storage.SealedEntry;
import java.net.URLDecoder;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parts of enrollment tokens, which find a token that was damaged. Thread-safe. */
final class EnrollmentParts {
    private static final String KIND = SealedEntry.ENROLLMENT;
    private static final String PART = SealedEntry.ENROLLMENT_PART;

    /** The characters of a token after its prefix. */
    private static final int CHARS = 43;

    /** The characters that identify a damaged token: too many to guess, and too few to use it. */
    private static final int PART_CHARS = 12;

    private final SealedEntries entries;

    EnrollmentParts(SealedEntries entries) {
        this.entries = entries;
    }

    /** The entries that lead from parts of a token's secret to its entry. */
    List<SealedEntry> of(String secret, String userId, SealedEntry token) {
        return Stream.of(head(secret), tail(secret), folded(secret))
                .map(part -> entries.seal(PART, part, userId, token.key(), token.expiresAt()))
                .toList();
    }

    /**
     * Finds out what is wrong with a token that was not issued, by the parts of those that were. A link that no longer works says so, as
     * copying it again does not help.
     */
    EnrollmentFault damage(String token) {
        String secret = decoded(token.substring(Enrollments.isToken(token) ? Enrollments.PREFIX.length() : 0));
        int length = secret.length();
        String plain = secret.replaceAll("[^\\w-]", "");
        EnrollmentRecord same = ofPart(folded(plain));
        EnrollmentRecord start = length < PART_CHARS ? null : ofPart(head(secret));
        EnrollmentRecord end = length < PART_CHARS ? null : ofPart(tail(secret));
        String more = "length " + length + " instead of " + CHARS;
        String found;
        if (length > CHARS && entries.find(KIND, Enrollments.PREFIX + secret.substring(0, CHARS)) != null) {
            found = "followed by \"" + DisplayText.prefix(secret.substring(CHARS)) + '"';
        } else if (same != null && plain.length() < length) {
            found = inserted(secret);
        } else if (same != null) {
            found = "upper and lower case letters were changed";
        } else if (start != null && end != null) {
            found = length == CHARS ? "changed in the middle" : more + ", changed in the middle";
        } else if (start != null) {
            found = length == CHARS ? "changed at the end" : more + ", wrong at the end";
        } else if (end != null) {
            found = length == CHARS ? "changed at the start" : more + ", wrong at the start";
        } else if (length == CHARS) {
            return Enrollments.UNKNOWN;
        } else {
            found = more;
        }
        EnrollmentRecord link = same != null ? same : start != null ? start : end;
        Reason reason =
                link == null || link.isValid(entries.now()) ? Reason.ENROLLMENT_DAMAGED : Enrollments.reason(link);
        return new EnrollmentFault(reason, link, Enrollments.PREFIX + " and " + CHARS + " characters", found);
    }

    private static String inserted(String secret) {
        Matcher inserted = Pattern.compile("[^\\w-]+").matcher(secret);
        return inserted.find()
                ? '"' + DisplayText.prefix(inserted.group()) + "\" inserted after " + inserted.start() + " characters"
                : "";
    }

    /** Browsers encode some characters in the fragment of an address. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    private @Nullable EnrollmentRecord ofPart(String part) {
        StoredEntry found = entries.find(PART, part);
        StoredEntry link = found == null ? null : entries.findByKey(KIND, found.content());
        return link == null ? null : EnrollmentRecord.read(link.content());
    }

    private static String head(String secret) {
        return "head " + secret.substring(0, PART_CHARS);
    }

    private static String tail(String secret) {
        return "tail " + secret.substring(secret.length() - PART_CHARS);
    }

    private static String folded(String secret) {
        return "folded " + secret.toLowerCase(Locale.ROOT);
    }
}
