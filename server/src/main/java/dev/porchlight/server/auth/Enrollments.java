// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.auth.EnrollmentFault.Reason;
import dev.porchlight.server.auth.SealedEntries.StoredEntry;
import dev.porchlight.server.crypto.Sealer;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.SealedEntry;
import dev.porchlight.server.storage.SqlSealedEntries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Enrollment tokens. Each allows one registration of a passkey for one user, which also signs the user in. Thread-safe.
 *
 * <p>Tokens of operators, and of users for another device or a recovery, are stored, and used up in the transaction of their
 * registration. They stay stored for a while after
 * that, so that a link that no longer works can be explained. Sign-up tokens are sealed and not stored, so strangers cannot fill
 * the database. They work once, because only one registration can take the name.
 */
public final class Enrollments {
    /** The prefix that distinguishes these tokens from other kinds. */
    static final String PREFIX = "enroll_";

    private static final String KIND = SealedEntry.ENROLLMENT;

    /** The lifetime of sign-ups, and of operators' tokens by default. */
    public static final Duration LIFETIME = Duration.ofMinutes(10);

    public static final Duration MAX_LIFETIME = Duration.ofDays(7);

    /** How long an operator's token is explained after it has expired. */
    private static final Duration EXPLAINED = Duration.ofDays(30);

    /** Follows the prefix in sign-up tokens. */
    private static final String SIGNUP_MARK = "signup_";

    private static final String SIGNUP = "signup";

    /** What ended a token that a lock overlapped with. */
    private static final Set<String> LOCKS = Set.of(AuditAction.USER_LOCKED.code(), AuditAction.USER_UNLOCKED.code());

    static final EnrollmentFault UNKNOWN = new EnrollmentFault(Reason.ENROLLMENT_UNKNOWN, null, "", "");

    private final SealedEntries entries;
    private final EnrollmentParts parts;
    private final Sealer sealer;
    private final boolean signUp;

    /** Tokens are stored in the entries; the sealer seals sign-up tokens, which are valid only while sign-up is open. */
    public Enrollments(SealedEntries entries, Sealer sealer, boolean signUp) {
        this.entries = entries;
        this.parts = new EnrollmentParts(entries);
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
            return key == null || now != null && !now.hasEnded();
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
        return store(connection, issued(userId, null, Profile.EMPTY, mailedTo, issuedBy, lifetime));
    }

    /**
     * Creates a token for another device of a user, within a transaction of the caller, who calls {@link #kept} afterwards. It ends
     * with the passkey that they signed in with.
     */
    Issued forDevice(Connection connection, Grant caller) throws SQLException {
        long now = entries.now();
        return store(
                connection,
                EnrollmentRecord.forDevice(caller.userId(), caller.credentialId(), now, now + LIFETIME.toMillis()));
    }

    /** Creates a token for a user with a recovery code, within a transaction of the caller, who calls {@link #kept} afterwards. */
    Issued forRecovery(Connection connection, String userId) throws SQLException {
        long now = entries.now();
        return store(connection, EnrollmentRecord.forRecovery(userId, now, now + LIFETIME.toMillis()));
    }

    private Issued store(Connection connection, EnrollmentRecord content) throws SQLException {
        String secret = entries.newId();
        String token = PREFIX + secret;
        long until = content.expiresAt() + EXPLAINED.toMillis();
        SealedEntry entry = entries.seal(KIND, token, content.userId(), content.toJson(), until);
        List<SealedEntry> added = new ArrayList<>(List.of(entry));
        added.addAll(parts.of(secret, content.userId(), entry));
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
        return link == null ? parts.damage(token) : EnrollmentFault.of(reason(link), link);
    }

    /** The fault of a token whose user is locked. */
    public static EnrollmentFault locked(Enrollment enrollment) {
        return EnrollmentFault.of(Reason.ENROLLMENT_LOCKED, enrollment.content());
    }

    static Reason reason(EnrollmentRecord link) {
        return switch (link.end().why()) {
            case "" -> Reason.ENROLLMENT_EXPIRED;
            case EnrollmentRecord.USED -> Reason.ENROLLMENT_USED;
            default -> LOCKS.contains(link.end().why()) ? Reason.ENROLLMENT_LOCKED : Reason.ENROLLMENT_REVOKED;
        };
    }

    /** The operators' tokens for a user, newest first: also those that have ended, while they can be explained. */
    public List<EnrollmentRecord> ofUser(String userId) {
        return entries.ofOwner(KIND, userId).stream()
                .map(entry -> EnrollmentRecord.read(entry.content()))
                .filter(link -> link != null && !link.issuedBy().isEmpty())
                .toList();
    }

    /** Whether the user has an operator's token that is neither used nor expired. */
    public boolean isPending(String userId) {
        return ofUser(userId).stream().anyMatch(link -> link.isValid(entries.now()));
    }

    /**
     * Ends the stored tokens for a user, and the link that verifies their address, within a transaction of the caller.
     *
     * @param operator the label of the operator; empty if the user ended them
     */
    void endAll(Connection connection, String userId, AuditAction why, String operator) throws SQLException {
        end(connection, userId, link -> true, why, operator);
        EmailLinks.end(entries, connection, userId);
    }

    /** Ends those that a user issued for other devices when signed in with a passkey that is removed. */
    void endIssuedWith(Connection connection, String userId, String credentialId, String operator) throws SQLException {
        end(connection, userId, link -> credentialId.equals(link.passkey()), AuditAction.PASSKEY_REMOVED, operator);
    }

    /** Ends those that were sent to the address that a user had, within the transaction that changes it. */
    public void addressChanged(Connection connection, String userId) throws SQLException {
        end(connection, userId, link -> link.mailedTo() != null, AuditAction.PROFILE_CHANGED, "");
    }

    /** Ends some of the stored tokens for a user, within a transaction of the caller. */
    void end(Connection connection, String userId, Predicate<EnrollmentRecord> ends, AuditAction why, String operator)
            throws SQLException {
        for (StoredEntry entry : entries.ofOwner(connection, KIND, userId)) {
            EnrollmentRecord link = EnrollmentRecord.read(entry.content());
            if (link != null && link.isValid(entries.now()) && ends.test(link)) {
                String ended = link.ended(why.code(), operator, entries.now()).toJson();
                entries.replace(connection, KIND, entry.key(), ended);
            }
        }
    }

    /** Removes everything about the stored tokens for a user, within a transaction of the caller. */
    void eraseAll(Connection connection, String userId) throws SQLException {
        entries.removeOwner(connection, KIND, userId);
        entries.removeOwner(connection, SealedEntry.ENROLLMENT_PART, userId);
        EmailLinks.end(entries, connection, userId);
    }
}
