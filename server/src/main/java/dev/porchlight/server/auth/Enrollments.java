// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.DisplayText;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.auth.EnrollmentFault.Reason;
import dev.porchlight.server.auth.SealedEntries.StoredEntry;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.SealedEntry;
import dev.porchlight.server.storage.SqlSealedEntries;
import java.net.URLDecoder;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Enrollment tokens. Each allows one registration of a passkey for one user, which also signs the user in. Thread-safe.
 *
 * <p>Operators' tokens are stored, and used up in the transaction of their registration. They stay stored for a while after
 * that, so that a link that no longer works can be explained. Sign-up tokens are sealed and not stored, so strangers cannot fill
 * the database. They work once, because only one registration can take the name.
 */
public final class Enrollments {
    /** The prefix that distinguishes these tokens from other kinds. */
    private static final String PREFIX = "enroll_";

    private static final String KIND = SealedEntry.ENROLLMENT;
    private static final String PART = SealedEntry.ENROLLMENT_PART;

    /** The lifetime of sign-ups, and of operators' tokens by default. */
    public static final Duration LIFETIME = Duration.ofMinutes(10);

    public static final Duration MAX_LIFETIME = Duration.ofDays(7);

    /** How long an operator's token is explained after it has expired. */
    private static final Duration EXPLAINED = Duration.ofDays(30);

    /** Follows the prefix in sign-up tokens. */
    private static final String SIGNUP_MARK = "signup_";

    private static final String SIGNUP = "signup";

    private static final EnrollmentFault UNKNOWN = new EnrollmentFault(Reason.ENROLLMENT_UNKNOWN, null, "", "");

    /** The characters of a token after its prefix. */
    private static final int CHARS = 43;

    /** The characters that identify a damaged token: too many to guess, and too few to use it. */
    private static final int PART_CHARS = 12;

    private final SealedEntries entries;
    private final Sealer sealer;
    private final boolean signUp;

    /** Operators' tokens are stored in the entries; the sealer seals sign-up tokens, which are valid only while sign-up is open. */
    public Enrollments(SealedEntries entries, Sealer sealer, boolean signUp) {
        this.entries = entries;
        this.sealer = sealer;
        this.signUp = signUp;
    }

    /**
     * A valid token.
     *
     * @param key the token's key in the storage; null for a sign-up's, which is not stored
     * @param entries where it is stored
     */
    public record Enrollment(@Nullable String key, EnrollmentRecord content, SealedEntries entries) {
        public String userId() {
            return content.userId();
        }

        /** The display name from a sign-up, if given. */
        public @Nullable String displayName() {
            return content.displayName();
        }

        /** The profile from a sign-up; empty if there is none. */
        Profile profile() {
            return content.profile().at(content.issuedAt());
        }

        /** Whether the token is invalid once the user has a passkey, as a sign-up's is. */
        public boolean firstOnly() {
            return key == null;
        }

        /** Whether the token was not used before, within a transaction that has locked the user. */
        boolean isUnused(Connection connection) throws SQLException {
            StoredEntry entry = key == null ? null : entries.find(connection, KIND, key);
            EnrollmentRecord now = entry == null ? null : EnrollmentRecord.read(entry.content());
            return key == null || now != null && now.ended().isEmpty();
        }

        /** Uses up a token that {@link #isUnused}, within the same transaction. */
        void use(Connection connection) throws SQLException {
            if (key != null) {
                String used =
                        content.ended(EnrollmentRecord.USED, "", entries.now()).toJson();
                entries.replace(connection, KIND, key, used);
                if (content.mailedTo() != null) { // only the owner of that mailbox has the link
                    var unused = Profiles.verifyEmail(connection, userId(), content.mailedTo());
                }
            }
        }
    }

    /**
     * A token.
     *
     * @param expiresAt in milliseconds since 1970
     * @param stored what was stored of it; empty for a sign-up's
     */
    public record Issued(String token, long expiresAt, List<SealedEntry> stored) {
        public Issued {
            stored = List.copyOf(stored);
        }
    }

    /** Creates a sign-up token. */
    public Issued forNewUser(String userId, @Nullable String displayName, Profile profile) {
        EnrollmentRecord content = issued(userId, displayName, profile, null, "", LIFETIME);
        return new Issued(PREFIX + SIGNUP_MARK + sealer.seal(content.toJson(), SIGNUP), content.expiresAt(), List.of());
    }

    /**
     * Creates an operator's token for a user with or without passkeys, within a transaction of the caller that has reserved the
     * name. The caller calls {@link #kept} afterwards.
     *
     * @param issuedBy the label of the operator
     * @param mailedTo the address, if the token is sent there and shown to no one
     */
    Issued forAnyUser(
            Connection connection, String userId, Duration lifetime, String issuedBy, @Nullable String mailedTo)
            throws SQLException {
        String secret = entries.newId();
        String token = PREFIX + secret;
        EnrollmentRecord content = issued(userId, null, Profile.EMPTY, mailedTo, issuedBy, lifetime);
        long until = content.expiresAt() + EXPLAINED.toMillis();
        SealedEntry entry = entries.seal(KIND, token, userId, content.toJson(), until);
        List<SealedEntry> added = new ArrayList<>(List.of(entry));
        for (String part : List.of(head(secret), tail(secret), folded(secret))) {
            added.add(entries.seal(PART, part, userId, entry.key(), until));
        }
        for (SealedEntry each : added) {
            SqlSealedEntries.put(connection, each, entries.now());
        }
        return new Issued(token, content.expiresAt(), added);
    }

    /** Enforces the limit of tokens per user after a unit of work stored one. */
    void kept(Issued issued) {
        issued.stored().forEach(entries.table()::trim);
    }

    private EnrollmentRecord issued(
            String userId,
            @Nullable String displayName,
            Profile profile,
            @Nullable String mailedTo,
            String issuedBy,
            Duration lifetime) {
        long now = entries.now();
        return EnrollmentRecord.of(userId, displayName, profile, mailedTo, issuedBy, now, now + lifetime.toMillis());
    }

    /** Whether the text has the prefix of an enrollment token. */
    public static boolean isToken(String text) {
        return text.regionMatches(true, 0, PREFIX, 0, PREFIX.length()); // a damaged link may have changed its case
    }

    /** Returns the content of a token without using it up, or null if it is invalid. */
    public @Nullable Enrollment find(String token) {
        boolean byVisitor = isToken(token) && isSignUp(token);
        StoredEntry kept = byVisitor ? null : entries.find(KIND, token);
        EnrollmentRecord content =
                byVisitor ? signUp(token) : EnrollmentRecord.read(kept == null ? null : kept.content());
        return content == null || !content.isValid(entries.now())
                ? null
                : new Enrollment(kept == null ? null : kept.key(), content, entries);
    }

    private static boolean isSignUp(String token) {
        return token.startsWith(SIGNUP_MARK, PREFIX.length());
    }

    private @Nullable EnrollmentRecord signUp(String token) {
        String sealed = token.substring(PREFIX.length() + SIGNUP_MARK.length());
        return signUp ? EnrollmentRecord.read(sealer.open(sealed, SIGNUP)) : null;
    }

    /** Returns why {@link #find} refuses a token. */
    public EnrollmentFault fault(String token) {
        if (isToken(token) && isSignUp(token)) {
            EnrollmentRecord content = signUp(token);
            return content == null ? UNKNOWN : EnrollmentFault.of(Reason.SIGNUP_EXPIRED, content);
        }
        StoredEntry kept = entries.find(KIND, token);
        EnrollmentRecord link = EnrollmentRecord.read(kept == null ? null : kept.content());
        return link == null ? damage(token) : EnrollmentFault.of(reason(link), link);
    }

    /** The fault of a token whose user is locked. */
    public static EnrollmentFault locked(Enrollment enrollment) {
        return EnrollmentFault.of(Reason.ENROLLMENT_LOCKED, enrollment.content());
    }

    private static Reason reason(EnrollmentRecord link) {
        return switch (link.ended()) {
            case "" -> Reason.ENROLLMENT_EXPIRED;
            case EnrollmentRecord.USED -> Reason.ENROLLMENT_USED;
            default ->
                link.ended().equals(AuditAction.USER_LOCKED.code())
                        ? Reason.ENROLLMENT_LOCKED
                        : Reason.ENROLLMENT_REVOKED;
        };
    }

    /**
     * Finds out what is wrong with a token that was not issued, by the parts of those that were. A link that no longer works says so, as
     * copying it again does not help.
     */
    private EnrollmentFault damage(String token) {
        String secret = decoded(token.substring(isToken(token) ? PREFIX.length() : 0));
        int length = secret.length();
        String plain = secret.replaceAll("[^\\w-]", "");
        EnrollmentRecord same = ofPart(folded(plain));
        EnrollmentRecord start = length < PART_CHARS ? null : ofPart(head(secret));
        EnrollmentRecord end = length < PART_CHARS ? null : ofPart(tail(secret));
        String more = "length " + length + " instead of " + CHARS;
        String found;
        if (length > CHARS && entries.find(KIND, PREFIX + secret.substring(0, CHARS)) != null) {
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
            return UNKNOWN;
        } else {
            found = more;
        }
        EnrollmentRecord link = same != null ? same : start != null ? start : end;
        Reason reason = link == null || link.isValid(entries.now()) ? Reason.ENROLLMENT_DAMAGED : reason(link);
        return new EnrollmentFault(reason, link, PREFIX + " and " + CHARS + " characters", found);
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

    /** The operators' tokens for a user, newest first: also those that have ended, while they can be explained. */
    public List<EnrollmentRecord> ofUser(String userId) {
        return entries.ofOwner(KIND, userId).stream()
                .map(entry -> EnrollmentRecord.read(entry.content()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Whether the user has an operator's token that is neither used nor expired. */
    public boolean isPending(String userId) {
        return ofUser(userId).stream().anyMatch(link -> link.isValid(entries.now()));
    }

    /**
     * Ends the operators' tokens for a user, within a transaction of the caller.
     *
     * @param operator the label of the operator; empty if the user ended them
     */
    void endAll(Connection connection, String userId, AuditAction why, String operator) throws SQLException {
        for (StoredEntry entry : entries.ofOwner(connection, KIND, userId)) {
            EnrollmentRecord link = EnrollmentRecord.read(entry.content());
            if (link != null && link.isValid(entries.now())) {
                String ended = link.ended(why.code(), operator, entries.now()).toJson();
                entries.replace(connection, KIND, entry.key(), ended);
            }
        }
    }

    /** Removes everything about the operators' tokens for a user, within a transaction of the caller. */
    void eraseAll(Connection connection, String userId) throws SQLException {
        entries.removeOwner(connection, KIND, userId);
        entries.removeOwner(connection, PART, userId);
    }
}
