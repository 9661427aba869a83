// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.storage.SealedEntries;
import dev.porchlight.server.storage.SealedEntry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.params.SetParams;

/**
 * Sealed entries in Redis, shared by all instances. Thread-safe.
 *
 * <p>An entry is a string with an expiry, and is taken with {@code GETDEL}. Each owner also has a list of their entries' keys,
 * oldest first by Redis's clock. In a cluster the two are on different nodes, so the list is written first and keeps entries
 * that may still be written: it may contain missing entries, but never lacks an existing one.
 */
public final class RedisSealedEntries implements SealedEntries {
    /** An expired entry stays this long, so that a late response is refused as "expired" and not as "unknown". */
    private static final long GRACE_MILLIS = 60_000;

    /** The time limit for reading a whole list, which takes a command per entry. */
    private static final Duration LIST_TIMEOUT = Duration.ofSeconds(1);

    /** Adds to an owner's list, and returns the keys beyond the limit. */
    private static final Redis.Script LIST = Redis.Script.of(
            "local time = redis.call('TIME')",
            "redis.call('ZADD', KEYS[1], time[1] * 1000000 + time[2], ARGV[1])",
            "if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end",
            "local last = redis.call('ZCARD', KEYS[1]) - ARGV[3] - 1",
            "if last < 0 then return {} end",
            "local over = redis.call('ZRANGE', KEYS[1], 0, last)",
            "redis.call('ZREMRANGEBYRANK', KEYS[1], 0, last)",
            "return over");

    /** Removes an entry if it belongs to the owner. */
    private static final Redis.Script REMOVE = Redis.Script.of(
            "local entry = redis.call('GET', KEYS[1])",
            "if entry and string.sub(entry, 1, #ARGV[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end",
            "return 0");

    private final Redis redis;
    private final InstantSource clock;

    public RedisSealedEntries(Redis redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    @Override
    public void put(SealedEntry entry) {
        long life = Math.max(entry.expiresAt() - clock.millis(), 0) + GRACE_MILLIS;
        String list = list(entry.kind(), entry.owner());
        // The list must outlive the entry, which is written next.
        Object over =
                redis.run(LIST, list, entry.key(), Long.toString(life + GRACE_MILLIS), Integer.toString(PER_OWNER));
        String place = place(entry.kind(), entry.key());
        redis.execute(
                place,
                jedis -> jedis.set(place, write(entry), SetParams.setParams().px(life)));
        if (over instanceof List<?> keys) {
            keys.forEach(key -> remove(entry.kind(), String.valueOf(key), entry.owner()));
        }
    }

    @Override
    public @Nullable SealedEntry find(String kind, String key) {
        String place = place(kind, key);
        return read(kind, key, redis.<@Nullable String>execute(place, jedis -> jedis.get(place)));
    }

    @Override
    public @Nullable SealedEntry take(String kind, String key) {
        String place = place(kind, key);
        SealedEntry taken = read(kind, key, redis.<@Nullable String>execute(place, jedis -> jedis.getDel(place)));
        if (taken != null) {
            unlist(kind, taken.owner(), key);
        }
        return taken;
    }

    @Override
    public List<SealedEntry> ofOwner(String kind, String owner) {
        List<SealedEntry> entries = new ArrayList<>();
        long start = System.nanoTime();
        for (String key : newestFirst(kind, owner)) {
            SealedEntry entry = find(kind, key);
            if (entry != null && entry.owner().equals(owner)) {
                entries.add(entry);
            }
            checkTimeout(start);
        }
        return List.copyOf(entries);
    }

    @Override
    public int removeOwner(String kind, String owner) {
        int removed = 0;
        long start = System.nanoTime();
        for (String key : newestFirst(kind, owner)) {
            // A listed entry that does not exist may be about to be written, so it stays listed.
            if (remove(kind, key, owner)) {
                unlist(kind, owner, key);
                removed++;
            }
            checkTimeout(start);
        }
        return removed;
    }

    /** Does nothing: Redis removes expired entries itself. */
    @Override
    public int sweep(long now) {
        return 0;
    }

    private List<String> newestFirst(String kind, String owner) {
        String list = list(kind, owner);
        List<String> keys = new ArrayList<>(redis.execute(list, jedis -> jedis.zrange(list, 0, -1)));
        Collections.reverse(keys);
        return keys;
    }

    private boolean remove(String kind, String key, String owner) {
        return Long.valueOf(1).equals(redis.run(REMOVE, place(kind, key), ownerPart(owner)));
    }

    private void unlist(String kind, String owner, String key) {
        String list = list(kind, owner);
        try {
            redis.execute(list, jedis -> jedis.zrem(list, key));
        } catch (StorageException e) {
            // The entry is removed; the list may contain its key until it expires.
        }
    }

    private static void checkTimeout(long start) {
        if (System.nanoTime() - start > LIST_TIMEOUT.toNanos()) {
            throw new StorageException("Redis responds too slowly");
        }
    }

    private static String place(String kind, String key) {
        return "porchlight:" + kind + ':' + key;
    }

    private static String list(String kind, String owner) {
        return "porchlight:" + kind + "-of:" + owner;
    }

    private static String write(SealedEntry entry) {
        return ownerPart(entry.owner()) + entry.expiresAt() + ' ' + entry.sealed();
    }

    private static String ownerPart(String owner) {
        return owner.length() + " " + owner;
    }

    private static @Nullable SealedEntry read(String kind, String key, @Nullable String written) {
        if (written == null) {
            return null;
        }
        int owner = written.indexOf(' ') + 1;
        int expiry = owner + Integer.parseInt(written, 0, owner - 1, 10);
        int sealed = written.indexOf(' ', expiry) + 1;
        return new SealedEntry(
                kind,
                key,
                written.substring(owner, expiry),
                written.substring(sealed),
                Long.parseLong(written, expiry, sealed - 1, 10));
    }
}
