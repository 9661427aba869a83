// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditEntry;
import dev.porchlight.server.audit.AuditEvent;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.history.Fact;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

/** What the audit log says of the user of an attempt, as facts of an explanation. Thread-safe. */
final class UserEvents {
    private static final int MAX_REMOVALS = 3;

    /** What a user has been through. */
    private static final List<AuditAction> KNOWN_BY = List.of(
            AuditAction.REGISTRATION,
            AuditAction.LOGIN,
            AuditAction.ENROLLMENT_ISSUED,
            AuditAction.PASSKEY_REMOVED,
            AuditAction.USER_LOCKED);

    private final AuditStore audit;
    private final InstantSource clock;

    UserEvents(Sql sql, InstantSource clock) {
        this.audit = new AuditStore(sql);
        this.clock = clock;
    }

    static List<Fact> facts(List<AuditEntry> entries) {
        return entries.stream().map(UserEvents::fact).toList();
    }

    private static Fact fact(AuditEntry entry) {
        AuditEvent event = entry.event();
        return new Fact(event.action(), entry.at(), event.operator(), event.groupName());
    }

    /** The latest row about a user with one of these actions, until a time. */
    List<Fact> latest(String userId, long until, List<AuditAction> actions) {
        return facts(audit.ofUser(userId, actions, until, 1));
    }

    /** Whether the user is known from before the failure. */
    boolean existed(ExplainedCeremony known) {
        return !latest(known.user(), known.ceremony().at(), KNOWN_BY).isEmpty();
    }

    /** The latest row about the user with an action, if it is newer than the failure. */
    List<Fact> after(AuditAction action, ExplainedCeremony known) {
        return latest(known.user(), clock.millis(), List.of(action)).stream()
                .filter(fact -> fact.at() > known.ceremony().at())
                .toList();
    }

    /** The lock of the user at the time of the failure, if any, and its end, if it has ended since. */
    List<Fact> lock(ExplainedCeremony known) {
        List<Fact> then = lockChange(known, known.ceremony().at(), AuditAction.USER_LOCKED);
        return then.isEmpty()
                ? then
                : Stream.concat(then.stream(), lockChange(known, clock.millis(), AuditAction.USER_UNLOCKED).stream())
                        .toList();
    }

    /** The latest lock or unlocking until a time, if it is the wanted one. */
    private List<Fact> lockChange(ExplainedCeremony known, long until, AuditAction wanted) {
        return latest(known.subject(), until, List.of(AuditAction.USER_LOCKED, AuditAction.USER_UNLOCKED)).stream()
                .filter(fact -> fact.name().equals(wanted.code()))
                .toList();
    }

    /** The latest removals of the user's passkeys before the failure, and not before a time. */
    List<Fact> removals(ExplainedCeremony known, long from) {
        List<AuditAction> removal = List.of(AuditAction.PASSKEY_REMOVED);
        return facts(audit.ofUser(known.user(), removal, known.ceremony().at(), MAX_REMOVALS)).stream()
                .filter(fact -> fact.at() >= from)
                .toList();
    }
}
