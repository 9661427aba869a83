// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.explain;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.passkey.store.CredentialRecord;
import dev.porchlight.server.auth.Enrollments;
import dev.porchlight.server.history.Cause;
import dev.porchlight.server.history.Ceremony;
import dev.porchlight.server.history.CeremonyHistory;
import dev.porchlight.server.history.CeremonyHistory.SearchResult;
import dev.porchlight.server.openid.client.Clients;
import dev.porchlight.server.storage.ErasedUsers;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Finds ceremonies for operators: the one search behind the console, {@code GET /admin/ceremonies/CODE} and
 * {@code ./porchlight explain --code}. Adds what the database knows about the user and the application of a failure, which no
 * visitor learns: {@linkplain UserFailures what was true then}, and {@linkplain Aftermath what holds now}. Thread-safe.
 */
public final class CeremonySearch {
    private static final String DAMAGED_LINK = "enrollment_damaged";

    private final CeremonyHistory history;
    private final UserFailures users;
    private final ClientFailures clients;
    private final Aftermath aftermath;

    /** A search that finds the passkeys of a user with {@code passkeys}. */
    public CeremonySearch(
            CeremonyHistory history,
            Sql sql,
            ErasedUsers erased,
            Enrollments enrollments,
            Clients clients,
            Function<String, List<CredentialRecord>> passkeys,
            InstantSource clock) {
        this.history = history;
        this.users = new UserFailures(history, sql, erased, passkeys, clock);
        this.clients = new ClientFailures(sql, clients);
        this.aftermath = new Aftermath(sql, enrollments, passkeys, clock);
    }

    /**
     * The result of a search, newest first.
     *
     * @param complete false if the database was unavailable, so that only this instance's memory was searched, or facts are missing
     */
    public record Result(List<ExplainedCeremony> ceremonies, boolean complete) {}

    /** The latest ceremonies of this instance in every state. Reads no names, which strangers could make expensive. */
    public Result latest() {
        return explain(new SearchResult(history.latest(), true), false);
    }

    /** The ceremonies with this support code (as typed), correlation id, trace id, user or client. */
    public Result find(String text) {
        return explain(history.find(text), true);
    }

    /** The ceremonies with this support code (as typed), correlation id or trace id. */
    public Result findById(String id) {
        return explain(history.findById(id), true);
    }

    private Result explain(SearchResult found, boolean names) {
        Set<String> kept = history.explainable(found.ceremonies());
        List<ExplainedCeremony> explained = new ArrayList<>();
        boolean complete = found.complete();
        for (Ceremony ceremony : found.ceremonies()) {
            String user = ceremony.user();
            var known = new ExplainedCeremony(
                    ceremony, user, user, ceremony.cause(), List.of(), kept.contains(ceremony.traceId()));
            try {
                explained.add(explain(known, names, found.complete()));
            } catch (StorageException e) {
                explained.add(known);
                complete = false;
            }
        }
        return new Result(explained, complete);
    }

    private ExplainedCeremony explain(ExplainedCeremony known, boolean names, boolean complete) {
        Cause cause = known.cause();
        if (cause == null) {
            return known;
        }
        ExplainedCeremony linked = known.with(
                known.ceremony().facts().stream().map(aftermath::shown).toList());
        boolean over = linked.isDueTo(DAMAGED_LINK)
                && linked.has(Aftermath.LINK_EXPIRED)
                && !linked.has(Aftermath.DEVICE_LINK_ISSUED);
        ExplainedCeremony then = users.explain(over ? linked.with(Cause.ended(DAMAGED_LINK)) : linked, cause, names);
        return names ? aftermath.of(clients.of(then), complete) : then;
    }
}
