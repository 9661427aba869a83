// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.auth.Caller;
import dev.porchlight.server.auth.EmailLinks;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Method;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import dev.porchlight.server.people.Profile;
import dev.porchlight.server.people.ProfileChange;
import dev.porchlight.server.people.ProfileMember;
import dev.porchlight.server.people.Profiles;
import dev.porchlight.server.storage.Actor.Target;
import dev.porchlight.server.storage.ReportedEvents;
import dev.porchlight.server.storage.Units;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** A signed-in user's own profile: {@code /auth/profile}, and links that verify the address in it. */
public final class ProfileRoutes {
    /** Changes with one passkey in that time, so that no loop fills the audit log. */
    private static final int MAX_CHANGES = 30;

    private static final Duration PERIOD = Duration.ofHours(1);
    private static final String PROFILE = "/auth/profile";
    private static final Problem LINK_ENDED = Problem.of(
            409,
            "email_link_ended",
            "This link is no longer valid. Request a new one, or sign in with the right account.");
    private static final Problem TOO_MANY_LINKS =
            Problem.of(429, "rate_limited", "You requested many links. Try again tomorrow.");
    private static final Problem TOO_MANY =
            Problem.of(429, "rate_limited", "You changed your profile many times. Try again in an hour.");

    private final Profiles profiles;
    private final EmailLinks links;
    private final Units units;
    private final Callers callers;
    private final Set<ProfileMember> editable;
    private final Sql sql;
    private final InstantSource clock;

    public ProfileRoutes(
            Profiles profiles,
            EmailLinks links,
            Units units,
            Callers callers,
            Set<ProfileMember> editable,
            Sql sql,
            InstantSource clock) {
        this.profiles = profiles;
        this.links = links;
        this.units = units;
        this.callers = callers;
        this.editable = editable;
        this.sql = sql;
        this.clock = clock;
    }

    public void mount(Router.Builder router) {
        router.get(PROFILE, Access.USER, this::show);
        router.add(Method.PATCH, PROFILE, Access.USER, this::change);
        router.post(PROFILE + "/email/link", Access.USER, this::sendLink);
        router.post(PROFILE + "/email/verify", Access.USER, this::verify);
    }

    private Response show(Exchange exchange, Caller caller) {
        Profile profile = Profiles.find(sql, caller.userId());
        return Response.json(200, json -> {
            profile.write(json);
            json.optionalBool("canVerify", links.canVerify(profile) ? true : null);
            json.texts("editable", editable.stream().map(ProfileMember::code).toList());
        });
    }

    /** Applications may identify users by their address, so a stolen session alone cannot change it. */
    private Response change(Exchange exchange, Caller caller) throws Exception {
        ProfileChange change = ProfileChange.parse(exchange.jsonObject(), editable, Set.of());
        if (change.contains(ProfileMember.EMAIL)) {
            callers.requireRecent(caller);
        }
        Instant now = clock.instant();
        var limited = new AtomicBoolean();
        boolean known = profiles.changeOwn(
                        caller.userId(),
                        change,
                        connection -> {
                            String event = "profile " + caller.grant().credentialId();
                            limited.set(ReportedEvents.count(connection, event, now, now.minus(PERIOD), MAX_CHANGES)
                                    .isEmpty());
                            return !limited.get();
                        },
                        caller)
                .isPresent();
        if (limited.get()) {
            exchange.responseHeader("Retry-After", Long.toString(PERIOD.toSeconds()));
            throw new ProblemException(TOO_MANY);
        }
        if (!known) {
            throw new ProblemException(Problem.SIGNED_OUT);
        }
        return show(exchange, caller);
    }

    /** The response is the same whether a mail is sent. */
    private Response sendLink(Exchange exchange, Caller caller) throws ProblemException {
        boolean done = units.commit(
                "send a link",
                caller,
                Target.NONE,
                connection -> links.send(connection, caller.userId()),
                sent -> null);
        if (!done) {
            exchange.responseHeader("Retry-After", Long.toString(EmailLinks.PERIOD.toSeconds()));
            throw new ProblemException(TOO_MANY_LINKS);
        }
        return Response.of(204);
    }

    private Response verify(Exchange exchange, Caller caller) throws Exception {
        if (!links.verify(units, caller, exchange.jsonObject().text("token"))) {
            throw new ProblemException(LINK_ENDED);
        }
        return show(exchange, caller);
    }
}
