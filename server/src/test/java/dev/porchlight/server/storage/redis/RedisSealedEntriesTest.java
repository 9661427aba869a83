// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.server.TestRedis;
import dev.porchlight.server.storage.RedisUrl;
import dev.porchlight.server.storage.SealedEntries;
import dev.porchlight.server.storage.SealedEntriesContract;
import dev.porchlight.server.storage.SealedEntry;
import dev.porchlight.testkit.redis.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisSealedEntriesTest extends SealedEntriesContract {
    private static RedisServer server;
    private static Redis redis;

    /** The contract's entries expire soon after 1970. */
    private final RedisSealedEntries entries = new RedisSealedEntries(redis, InstantSource.fixed(Instant.EPOCH));

    @BeforeAll
    static void start() {
        server = TestRedis.start();
        redis = Redis.open(RedisUrl.parse(server.url()), Redis.Listener.NONE);
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            redis.close();
            server.close();
        }
    }

    @Override
    protected SealedEntries entries() {
        return entries;
    }

    @Override
    @Test
    protected void sweeping_removes_only_expired_entries() {
        SealedEntry entry = put("a", owner, 5_000);

        assertThat(lifetime(entry.key())).as("five seconds plus a minute").isBetween(55_000L, 65_000L);
        assertThat(entries.sweep(Long.MAX_VALUE))
                .as("Redis removes expired entries itself")
                .isZero();
        assertThat(entries.find("kind", entry.key())).isEqualTo(entry);
    }

    @Test
    void every_key_expires_and_an_owner_list_not_before_its_last_entry() {
        put("long", owner, 500_000);
        put("short", owner, 5_000);

        List<String> keys = ask("KEYS", "*").lines().toList();

        assertThat(keys)
                .isNotEmpty()
                .allSatisfy(key -> assertThat(Long.parseLong(ask("PTTL", key))).isPositive());
        assertThat(Long.parseLong(ask("PTTL", "porchlight:kind-of:" + owner))).isGreaterThan(560_000);
    }

    @Test
    void taken_entries_are_removed_from_the_owner_list() {
        for (int i = 0; i < 20; i++) {
            entries.take("kind", put("n" + i, owner, 5_000).key());
        }

        assertThat(ask("EXISTS", "porchlight:kind-of:" + owner)).isEqualTo("0");
    }

    @Test
    void an_entry_listed_before_it_is_written_stays_listed() {
        SealedEntry late = put("late", owner, 5_000);
        ask("DEL", "porchlight:kind:" + late.key()); // the state between the two writes of a put

        assertThat(entries.removeOwner("kind", owner)).isZero();
        ask("SET", "porchlight:kind:" + late.key(), owner.length() + " " + owner + "5000 sealed");

        assertThat(entries.removeOwner("kind", owner)).isOne();
    }

    @Test
    void any_text_is_stored_unchanged() {
        var odd = new SealedEntry("kind", "key {with} braces", "12 owner \n\u00e9\ud83d\udd11", "7 sealed  \0 ", -5);

        entries.put(odd);

        assertThat(entries.find("kind", odd.key())).isEqualTo(odd);
        assertThat(entries.ofOwner("kind", odd.owner())).containsExactly(odd);
        assertThat(entries.removeOwner("kind", odd.owner())).isOne();
    }

    private static long lifetime(String key) {
        return Long.parseLong(ask("PTTL", "porchlight:kind:" + key));
    }

    private static String ask(String... command) {
        try {
            return server.command(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
