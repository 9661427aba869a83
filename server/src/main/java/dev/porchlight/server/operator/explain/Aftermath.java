// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.passkey.Step;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.server.audit.AuditAction;
import dev.porchlight.server.audit.AuditStore;
import dev.porchlight.server.audit.AuditSubjects;
import dev.porchlight.server.auth.EnrollmentRecord;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.history.BrowserOutcome;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.history.Fact;
import dev.porchlight.server.storage.UserAccess;
import dev.porchlight.server.storage.UserDirectory;
import dev.porchlight.server.telemetry.EnrollmentFacts;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happened to the user and the link since an attempt failed. The advice must be right now, so later changes replace
 * it. Thread-safe.
 */
final class Aftermath {
    static final String LINK_VALID_UNTIL = "enrollment_valid_until";
    static final String LINK_EXPIRED = "enrollment_expired";
    static final String DEVICE_LINK_ISSUED = AuditAction.DEVICE_LINK_ISSUED.code();
    private static final String LINK_ISSUED = "enrollment_issued";
    private static final String DAMAGED_LINK = "enrollment_damaged";
    private static final String LINK_LOCKED = "enrollment_locked";
    private static final String NO_PASSKEY = "no_passkey";
    private static final String OPEN_LINK = "open_link";

    /** Causes of which nothing is left once the user has signed in, or has created the passkey. */
    private static final Set<String> OVER_WITH_SUCCESS = Set.of(
            BrowserOutcome.UNSUPPORTED.code(),
            BrowserOutcome.BLOCKED.code(),
            BrowserOutcome.DISMISSED.code(),
            BrowserOutcome.TIMEOUT.code(),
            BrowserOutcome.ABORTED.code(),
            BrowserOutcome.AUTHENTICATOR.code(),
            BrowserOutcome.EXPIRED.code(),
            BrowserOutcome.REFUSED.code(),
            BrowserOutcome.LIMITED.code(),
            BrowserOutcome.UNAVAILABLE.code(),
            BrowserOutcome.NETWORK.code(),
            BrowserOutcome.WAITING.code(),
            Step.CHALLENGE_KNOWN.code(),
            Step.CHALLENGE_IN_TIME.code(),
            Step.USER_VERIFIED.code(),
            Step.CREDENTIAL_KNOWN.code(),
            Step.CREDENTIAL_OWNER.code(),
            Step.USER_UNLOCKED.code(),
            "failed",
            "challenge_used",
            "unknown_user",
            NO_PASSKEY,
            "passkey_removed",
            "invited",
            "sign_in_ended",
            "signup_expired",
            LINK_EXPIRED,
            LINK_LOCKED,
            "enrollment_revoked",
            DAMAGED_LINK,
            "access_ended");

    /** Causes that an outage of the database can have. */
    private static final Set<String> OUTAGES = Set.of("failed", BrowserOutcome.UNAVAILABLE.code());

    /** Causes whose advice is to issue a link. */
    private static final Set<String> NEEDS_LINK =
            Set.of(LINK_EXPIRED, LINK_LOCKED, "enrollment_revoked", DAMAGED_LINK, NO_PASSKEY);

    private final Sql sql;
    private final AuditStore audit;
    private final Enrollments enrollments;
    private final Function<String, List<CredentialRecord>> passkeys;
    private final InstantSource clock;

    Aftermath(
            Sql sql, Enrollments enrollments, Function<String, List<CredentialRecord>> passkeys, InstantSource clock) {
        this.sql = sql;
        this.audit = new AuditStore(sql);
        this.enrollments = enrollments;
        this.passkeys = passkeys;
        this.clock = clock;
    }

    /** The explanation with what holds now; {@code responds} is whether the database responded to this search. */
    ExplainedCeremony of(ExplainedCeremony then, boolean responds) {
        ExplainedCeremony known = isOfLink(then) ? ofLink(then) : then;
        Cause cause = known.cause();
        if (cause != null && responds && OUTAGES.contains(cause.code())) {
            known = known.with(cause.withRemedy("responds"));
            cause = known.cause();
        }
        UserDirectory.Entry user = known.subject().isEmpty() ? null : UserDirectory.find(sql, known.subject());
        return cause == null || user == null || known.isDueTo(BrowserOutcome.EXISTS.code())
                ? known
                : ofUser(known, cause, user);
    }

    private static boolean isOfLink(ExplainedCeremony known) {
        return known.ceremony().ceremony().equals("enrollment");
    }

    /** The link as it is now: it may have been used, ended or expired since it was refused. */
    private ExplainedCeremony ofLink(ExplainedCeremony then) {
        EnrollmentRecord link = enrollments.ofUser(then.subject()).stream()
                .filter(each -> each.issuedAt() == then.timeOf(LINK_ISSUED))
                .findFirst()
                .orElse(null);
        if (link == null) {
            return then;
        }
        List<Fact> now = EnrollmentFacts.of(link).stream().map(this::shown).toList();
        Set<String> replaced =
                Set.of(LINK_ISSUED, LINK_VALID_UNTIL, LINK_EXPIRED, "enrollment_used", "enrollment_ended");
        ExplainedCeremony known = then.withFacts(Stream.concat(
                        now.stream(), then.facts().stream().filter(fact -> !replaced.contains(fact.name())))
                .toList());
        boolean valid = link.isValid(clock.millis());
        if (known.isDueTo(LINK_LOCKED)
                && valid
                && !UserAccess.read(sql, then.subject()).locked()) {
            return known.with(Cause.ended(LINK_LOCKED));
        }
        return known.isDueTo(DAMAGED_LINK) && !valid ? known.with(Cause.ended(DAMAGED_LINK)) : known;
    }

    /** A link that was valid when it was refused may have expired since. Operators are shown by name. */
    Fact shown(Fact fact) {
        return fact.name().equals(LINK_VALID_UNTIL) && fact.at() <= clock.millis()
                ? Fact.event(LINK_EXPIRED, fact.at(), "")
                : new Fact(fact.name(), fact.at(), AuditSubjects.shownLabel(sql, fact.by()), fact.text());
    }

    private ExplainedCeremony ofUser(ExplainedCeremony known, Cause cause, UserDirectory.Entry user) {
        long refused = isOfLink(known) ? known.timeOf(LINK_ISSUED) : 0;
        EnrollmentRecord open = enrollments.ofUser(user.userId()).stream()
                .filter(link -> link.isValid(clock.millis()) && link.issuedAt() != refused)
                .findFirst()
                .orElse(null);
        Long lastSignIn = user.lastUsedAt();
        ExplainedCeremony explained = known.with(Stream.of(
                        Fact.text("passkeys_now", Integer.toString(user.passkeys())),
                        lastSignIn == null ? null : Fact.event("last_sign_in", lastSignIn, ""),
                        open == null || known.has(LINK_ISSUED) && !isOfLink(known)
                                ? null
                                : shown(Fact.event("open_link_issued", open.issuedAt(), open.issuedBy())),
                        open == null ? null : Fact.event("open_link_valid_until", open.expiresAt(), ""))
                .filter(Objects::nonNull)
                .toList());
        if (user.locked() && !known.has(AuditAction.USER_LOCKED.code())) {
            explained = explained.with(
                    UserEvents.facts(audit.ofUser(user.userId(), List.of(AuditAction.USER_LOCKED), clock.millis(), 1)));
        }
        String remedy = remedy(known, user, open != null);
        return remedy == null ? explained : explained.with(cause.withRemedy(remedy));
    }

    /** The name of the advice that replaces that of the cause, or null. */
    private @Nullable String remedy(ExplainedCeremony known, UserDirectory.Entry user, boolean hasOpenLink) {
        String code = Objects.requireNonNull(known.cause()).code();
        boolean registers = known.ceremony().ceremony().equals("registration");
        if (user.locked()) {
            return code.equals(Step.USER_UNLOCKED.code()) || code.equals(LINK_LOCKED) ? null : "locked";
        }
        if (!OVER_WITH_SUCCESS.contains(code)) {
            return null;
        }
        long at = known.ceremony().at();
        if (registers && hasPasskeySince(user.userId(), at)) {
            return "passkey_added";
        }
        if (!registers && user.passkeys() > 0 && user.lastUsedAt() != null && user.lastUsedAt() > at) {
            return "signed_in";
        }
        boolean asksForLink = NEEDS_LINK.contains(code);
        if (hasOpenLink && (asksForLink || user.passkeys() == 0)) {
            return OPEN_LINK;
        }
        return user.passkeys() == 0 && !asksForLink ? NO_PASSKEY : null;
    }

    private boolean hasPasskeySince(String userId, long at) {
        return passkeys.apply(userId).stream()
                .map(passkey -> passkey.details().createdAt())
                .anyMatch(created -> created != null && created.toEpochMilli() > at);
    }
}
