// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.auth.SealedEntries.StoredEntry;
import dev.porchlight.server.mail.MailQueue;
import dev.porchlight.server.mail.Notice;
import dev.porchlight.server.mail.Notices;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.ReportedEvents;
import dev.porchlight.server.storage.SealedEntry;
import dev.porchlight.server.storage.SqlSealedEntries;
import dev.porchlight.server.storage.Units;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The mails to users: notices, and links that verify an address. A link is mailed to the address, works once, and only for the user who gave the address
 * and is signed in: no one can make the owner of a mailbox verify it for another account. Thread-safe.
 */
public final class EmailLinks implements Notices {
    private static final String KIND = SealedEntry.EMAIL;
    private static final String PATH = "/account#verify=";
    private static final Duration LIFETIME = Duration.ofDays(1);

    /** How many links a user requests, and a mailbox receives, in that time. */
    private static final int MAX = 5;

    public static final Duration PERIOD = Duration.ofDays(1);

    private final SealedEntries entries;
    private final @Nullable MailQueue mail;

    /** Sends nothing without mail. */
    public EmailLinks(SealedEntries entries, @Nullable MailQueue mail) {
        this.entries = entries;
        this.mail = mail;
    }

    @Override
    public void add(Connection connection, Notice notice, String userId) throws SQLException {
        if (mail != null) {
            mail.add(connection, notice, userId);
        }
    }

    @Override
    public void addressGiven(Connection connection, String userId) throws SQLException {
        var unused = send(connection, userId);
    }

    /** Whether a link can verify the address of a profile. */
    public boolean canVerify(Profile profile) {
        return mail != null && profile.email() != null && !profile.emailVerified();
    }

    /**
     * Within the transaction that changes the address of a user: ends the link to the address before, notifies it if it was
     * verified, and mails another link if the user made the change.
     */
    public void addressChanged(Connection connection, String userId, Profile before, boolean byUser)
            throws SQLException {
        end(entries, connection, userId);
        if (mail != null) {
            mail.add(connection, Notice.EMAIL_CHANGED, userId, before);
        }
        if (byUser) {
            var unused = send(connection, userId);
        }
    }

    /**
     * Mails a link to a user whose address is not verified, which replaces an earlier one, within a transaction of the caller. A mailbox
     * that has received many gets no other, which the user does not learn: others may have requested them.
     *
     * @return false if the user has requested many
     */
    public boolean send(Connection connection, String userId) throws SQLException {
        Profile profile = Profiles.find(connection, userId);
        String email = profile.email();
        if (mail == null || email == null || !canVerify(profile)) {
            return true;
        }
        if (isLimited(connection, "links of user", userId)) {
            return false;
        }
        if (!isLimited(connection, "links to mailbox", mailbox(email))) {
            end(entries, connection, userId);
            String token = entries.newId();
            long until = entries.now() + LIFETIME.toMillis();
            SqlSealedEntries.put(
                    connection, entries.seal(KIND, id(userId, token), userId, email, until), entries.now());
            mail.verify(connection, userId, email, profile.locale(), PATH + token, until);
        }
        return true;
    }

    private boolean isLimited(Connection connection, String purpose, String value) throws SQLException {
        Instant now = Instant.ofEpochMilli(entries.now());
        String event = entries.hash(purpose, value);
        return ReportedEvents.count(connection, event, now, now.minus(PERIOD), MAX)
                .isEmpty();
    }

    /** Without the tag that many mail servers ignore. */
    private static String mailbox(String email) {
        return email.toLowerCase(Locale.ROOT).replaceFirst("\\+[^@]*", "");
    }

    private static String id(String userId, String token) {
        return userId + ' ' + token;
    }

    /** Uses a link of the caller; false if it has ended, or is not theirs. */
    public boolean verify(Units units, Caller caller, String token) {
        String userId = caller.userId();
        String key = entries.keyOf(KIND, id(userId, token));
        return units.commit(
                "verify an address",
                caller,
                Target.NONE,
                connection -> {
                    StoredEntry link = entries.find(connection, KIND, key);
                    return link != null
                            && SqlSealedEntries.remove(connection, KIND, key)
                            && Profiles.verifyEmail(connection, userId, link.content());
                },
                done -> done ? AuditEvent.of(AuditAction.EMAIL_VERIFIED, userId) : null);
    }

    /** Ends the link of a user, within a transaction of the caller. */
    static void end(SealedEntries entries, Connection connection, String userId) throws SQLException {
        entries.removeOwner(connection, KIND, userId);
    }
}
