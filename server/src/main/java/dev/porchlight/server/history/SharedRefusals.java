// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.history;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.auth.Sealer;
import dev.porchlight.server.crypto.KeyedHash;
import dev.porchlight.server.history.RefusedResponses.RefusedResponse;
import dev.porchlight.server.storage.ErasedUsers;
import dev.porchlight.server.storage.SealedRefusals;
import dev.porchlight.server.storage.SealedRefusals.Content;
import dev.porchlight.server.storage.SealedRefusals.Keys;
import dev.porchlight.server.storage.SealedRefusals.Row;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds refused ceremonies of all instances by their support code. Requests only add an id to a bounded queue; {@link #flush} stores
 * the ceremonies for a day, encrypted. Thread-safe.
 *
 * <p>The ids of the rows, and the keys that find them, are keyed hashes. Each client address has a share of the queue and of the
 * rows.
 */
public final class SharedRefusals {
    /** The largest ceremony that is stored, as JSON. */
    static final int MAX_CHARS = 24_576;

    private static final int QUEUE = 256;
    private static final int BATCH = 64;

    /** The keys of the hashes and of the encryption. */
    public record Secrets(KeyedHash index, Sealer sealer) {}

    private record Waiting(String traceId, String address) {}

    /**
     * The result of a search.
     *
     * @param explainable the trace ids of ceremonies whose response can be explained
     * @param complete false if the database is unavailable and only this instance's memory was searched
     */
    public record Found(List<Ceremony> ceremonies, Set<String> explainable, boolean complete) {}

    private final CeremonyHistory history;
    private final RefusedResponses responses;
    private final SealedRefusals table;
    private final ErasedUsers erased;
    private final Secrets secrets;
    private final InstantSource clock;
    private final String instance = UUID.randomUUID().toString();
    private final AddressShares<Waiting> queue = new AddressShares<>(QUEUE);
    private final AtomicLong stored = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();

    public SharedRefusals(
            CeremonyHistory history,
            RefusedResponses responses,
            SealedRefusals table,
            ErasedUsers erased,
            Secrets secrets,
            InstantSource clock) {
        this.history = history;
        this.responses = responses;
        this.table = table;
        this.erased = erased;
        this.secrets = secrets;
        this.clock = clock;
    }

    /**
     * Queues a refused ceremony of the history.
     *
     * @param address the client address that it counts against
     */
    public void add(String traceId, String address) {
        synchronized (queue) {
            if (queue.put(traceId, new Waiting(traceId, address), address)) {
                dropped.incrementAndGet();
            }
        }
    }

    /** Adds a refusal to the history, and queues its ceremony. */
    public void add(String traceId, CeremonyEvent refusal, String address) {
        history.add(traceId, refusal);
        add(traceId, address);
    }

    /** The number of ceremonies stored since the start. */
    public long stored() {
        return stored.get();
    }

    /** The number of ceremonies not stored since the start: too many were waiting, or one was too large. */
    public long dropped() {
        return dropped.get();
    }

    /** Stores waiting ceremonies; the next call stores more. If the database is unavailable, they keep waiting. */
    public void flush() {
        List<Waiting> batch = take();
        if (batch.isEmpty()) {
            return;
        }
        try {
            List<Row> rows =
                    batch.stream().map(this::row).filter(Objects::nonNull).toList();
            table.put(rows);
            sweep();
            stored.addAndGet(rows.size());
        } catch (StorageException e) {
            batch.forEach(waiting -> add(waiting.traceId(), waiting.address()));
        }
    }

    private List<Waiting> take() {
        synchronized (queue) {
            List<Waiting> batch = queue.values().stream().limit(BATCH).toList();
            Set<Waiting> taken = Set.copyOf(batch);
            queue.removeIf(taken::contains);
            return batch;
        }
    }

    private @Nullable Row row(Waiting waiting) {
        Ceremony ceremony = history.get(waiting.traceId());
        CeremonyEvent refusal = ceremony == null ? null : ceremony.refusal();
        if (ceremony == null || refusal == null) {
            return null; // evicted or erased in the meantime
        }
        RefusedResponse response = responses.get(waiting.traceId());
        String owner = owner(refusal, response);
        responses.setOwner(waiting.traceId(), owner);
        String content = new StoredRefusal(ceremony, response).write();
        if (content.length() > MAX_CHARS) {
            content = new StoredRefusal(ceremony, null).write();
        }
        if (content.length() > MAX_CHARS) {
            dropped.incrementAndGet();
            return null;
        }
        String client = ceremony.client().isEmpty() ? "" : hash("client", ceremony.client());
        String id = hash("id", instance + ' ' + waiting.traceId());
        long now = clock.millis();
        return new Row(
                id,
                new Keys(
                        hash("trace", waiting.traceId()),
                        hash("code", ceremony.supportCode()),
                        hash("correlation", refusal.correlationId()),
                        owner,
                        client),
                hash("address", waiting.address()),
                secrets.sealer().seal(content, id),
                now,
                now + RefusedResponses.TIME.toMillis());
    }

    /**
     * The hash of the user's name, so that the refusal can be erased with the user: the passkey and the user handle in the
     * response also name them.
     */
    private String owner(CeremonyEvent refusal, @Nullable RefusedResponse response) {
        String userId = Ceremony.user(refusal);
        if (userId.isEmpty() && response != null) {
            String json = response.capture().response();
            String credentialId = JsonObject.find(json, "id");
            String handle = JsonObject.find(json, "response", "userHandle");
            String holder = table.holderOf(credentialId == null ? "" : credentialId, handle == null ? "" : handle);
            userId = holder == null ? "" : holder;
        }
        return userId.isEmpty() ? "" : erased.hash(userId);
    }

    /** The ceremonies with this support code (as typed), correlation id, trace id, user or client, newest first. */
    public Found find(String text) {
        return merge(history.find(text), shared(keys(text, erased.hash(text.strip()), hash("client", text.strip()))));
    }

    /** The refused requests of an OpenID Connect client, newest first. */
    public Found ofClient(String clientId) {
        return merge(history.ofClient(clientId), shared(new Keys("", "", "", "", hash("client", clientId))));
    }

    /** Combines ceremonies of this instance and, unless null, stored ones of all instances. */
    private Found merge(List<Ceremony> own, @Nullable List<StoredRefusal> shared) {
        Map<String, Ceremony> found = new LinkedHashMap<>();
        own.forEach(ceremony -> found.put(ceremony.traceId(), ceremony));
        if (shared != null) {
            for (StoredRefusal refusal : shared) {
                Ceremony ceremony = refusal.ceremony();
                Ceremony known = found.containsKey(ceremony.traceId())
                        ? found.get(ceremony.traceId())
                        : history.get(ceremony.traceId());
                found.put(ceremony.traceId(), known == null ? ceremony : known.mergedWith(ceremony));
            }
        }
        List<Ceremony> newest = found.values().stream()
                .sorted(CeremonyHistory.NEWEST_FIRST)
                .limit(CeremonyHistory.MAX_FOUND)
                .toList();
        Set<String> explainable = Stream.concat(
                        newest.stream().map(Ceremony::traceId).filter(responses::has),
                        shared == null
                                ? Stream.of()
                                : shared.stream()
                                        .filter(refusal -> refusal.response() != null)
                                        .map(refusal -> refusal.ceremony().traceId()))
                .collect(Collectors.toUnmodifiableSet());
        return new Found(newest, explainable, shared != null);
    }

    /** The refused responses with this support code (as typed), correlation id or trace id, newest first. */
    public List<RefusedResponse> findResponses(String text) {
        Map<String, RefusedResponse> found = new LinkedHashMap<>();
        responses.find(text).forEach(response -> found.put(response.traceId(), response));
        List<StoredRefusal> shared = shared(keys(text, "", ""));
        if (shared != null) {
            for (StoredRefusal refusal : shared) {
                RefusedResponse response = refusal.response();
                if (response != null) {
                    found.putIfAbsent(response.traceId(), response);
                }
            }
        }
        return found.values().stream()
                .sorted(Comparator.comparing(SharedRefusals::refusedAt).reversed())
                .toList();
    }

    private static long refusedAt(RefusedResponse response) {
        var refusal = response.capture().refusal();
        return refusal == null ? 0 : refusal.at().toEpochMilli();
    }

    private Keys keys(String text, String owner, String client) {
        String id = text.strip();
        String code = SupportCode.read(id);
        return new Keys(
                hash("trace", id.toLowerCase(Locale.ROOT)),
                hash("code", code == null ? "" : code),
                hash("correlation", id),
                owner,
                client);
    }

    /** The stored refusals that match; null if the database is unavailable. */
    private @Nullable List<StoredRefusal> shared(Keys keys) {
        List<StoredRefusal> found = new ArrayList<>();
        try {
            for (Content content : table.find(keys, CeremonyHistory.MAX_FOUND, clock.millis())) {
                String json = secrets.sealer().open(content.sealed(), content.id());
                StoredRefusal refusal = json == null ? null : StoredRefusal.read(json);
                if (refusal != null) {
                    found.add(refusal);
                }
            }
            return found;
        } catch (StorageException e) {
            return null;
        }
    }

    /** Removes expired refusals, and those of erased users. */
    public void sweep() {
        table.sweep(clock.millis());
    }

    private String hash(String kind, String text) {
        return secrets.index().base64Of(kind + ' ' + text);
    }
}
