// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.mail;

import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.outbox.Delivery;
import dev.porchlight.server.outbox.Delivery.Kind;
import dev.porchlight.server.outbox.Outbox;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.Profiles;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Adds mails to the outbox, within transactions of its callers. Thread-safe. */
public final class MailQueue {
    /** The target of all mails in the outbox. */
    public static final String TARGET = "";

    /** The maximum number of mails that wait for a user. */
    private static final int MAX_PER_USER = 20;

    private final Outbox outbox;
    private final String origin;

    /** Links of mails lead to this origin. */
    public MailQueue(Outbox outbox, String origin) {
        this.outbox = outbox;
        this.origin = origin;
    }

    /** Adds a notice to a user with a verified address. */
    public void add(Connection connection, Notice notice, String userId) throws SQLException {
        add(connection, notice, userId, Profiles.find(connection, userId));
    }

    /** Adds a notice to the address of a profile, if it is verified. */
    public void add(Connection connection, Notice notice, String userId, Profile profile) throws SQLException {
        String email = profile.email();
        if (email != null && profile.emailVerified() && outbox.pending(connection, userId) < MAX_PER_USER) {
            add(connection, newId(), notice, userId, email, profile.locale(), origin + "/account", 0);
        }
    }

    /** Whether no more invitations should wait. */
    public boolean isFull() {
        return outbox.pending(Kind.MAIL, TARGET) >= Outbox.MAX_PENDING;
    }

    /**
     * Adds an invitation to an address that an operator gave.
     *
     * @param path of the link, with the token in its fragment
     * @param until when the link expires, in milliseconds since 1970
     */
    public void invite(
            Connection connection, String userId, String email, @Nullable String locale, String path, long until)
            throws SQLException {
        add(connection, newId(), Notice.INVITATION, userId, email, locale, origin + path, until);
    }

    /**
     * Adds the link that verifies the address of a user, unless many mails wait: strangers can request it.
     *
     * @param path of the link, with the token in its fragment
     * @param until when the link expires, in milliseconds since 1970
     */
    public void verify(
            Connection connection, String userId, String email, @Nullable String locale, String path, long until)
            throws SQLException {
        if (outbox.pending(connection, userId) < MAX_PER_USER
                && outbox.pending(connection, Kind.MAIL, TARGET) < Outbox.MAX_PENDING / 2) {
            add(connection, newId(), Notice.VERIFICATION, userId, email, locale, origin + path, until);
        }
    }

    /** Adds a test mail, and returns its id. */
    public String test(Connection connection, String email) throws SQLException {
        String id = newId();
        add(connection, id, Notice.TEST, "", email, null, "", 0);
        return id;
    }

    /** Writes a message for operators, with its recipient until it is delivered. */
    public void write(JsonWriter json, Delivery delivery) {
        delivery.write(json);
        String content = outbox.content(delivery);
        if (content != null) {
            try {
                MailMessage message = MailMessage.parse(content);
                json.text("to", message.to()).text("userId", message.userId());
            } catch (MalformedException e) {
                // another release wrote it
            }
        }
    }

    private String newId() {
        return outbox.newId("mail_");
    }

    private void add(
            Connection connection,
            String id,
            Notice notice,
            String userId,
            String email,
            @Nullable String locale,
            String link,
            long until)
            throws SQLException {
        var message = new MailMessage(email, userId, locale, link, outbox.now(), until);
        outbox.add(connection, id, Kind.MAIL, TARGET, userId, notice.code(), message.toJson());
    }
}
