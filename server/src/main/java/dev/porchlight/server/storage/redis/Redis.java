// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.storage.redis;

import dev.porchlight.base.sql.StorageException;
import dev.porchlight.server.limit.RequestDeadline;
import dev.porchlight.server.storage.RedisUrl;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * The connection to Redis, which tracks availability. Thread-safe.
 *
 * <p>After a failure, all scripts fail at once until a small one that writes succeeds again. That one runs every second, and
 * immediately after a failure, so that a dropped connection costs only one request.
 */
public final class Redis implements AutoCloseable {
    private static final Duration PROBE_EVERY = Duration.ofSeconds(1);
    private static final String PREFIX = "porchlight:probe:";

    /** Uses what rate limits use: a server that is full, read-only or loading responds to other commands. */
    private static final Script PROBE =
            Script.of("redis.call('TIME')", "return redis.call('SET', KEYS[1], '', 'PX', ARGV[1])");

    private static final Script MEMORY = Script.of("return redis.call('INFO', 'memory')");

    private final JedisClients clients;
    private final ScheduledExecutorService prober = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "porchlight-redis");
        thread.setDaemon(true);
        return thread;
    });
    /** Null until the first connection succeeds. */
    private volatile @Nullable UnifiedJedis client;

    private volatile @Nullable String fault;
    /** The key of the failed script, which determines the cluster node to probe. */
    private volatile String suspect = "";

    /**
     * A script that the server runs atomically, and its digest.
     *
     * @param text Lua source; it accesses only its one key
     */
    record Script(String text, String digest) {

        static Script of(String... lines) {
            String text = String.join("\n", lines);
            try {
                byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
                return new Script(text, HexFormat.of().formatHex(digest));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-1", e);
            }
        }
    }

    private Redis(JedisClients clients) {
        this.clients = clients;
    }

    /** Connects for requests with the default deadline. */
    public static Redis open(RedisUrl url) {
        return open(url, RequestDeadline.DEFAULT);
    }

    /**
     * Connects; if no server responds, keeps trying in the background.
     *
     * @param requestTimeout how long a request may wait in total; Redis gets a small part of it
     */
    public static Redis open(RedisUrl url, Duration requestTimeout) {
        Redis redis = new Redis(new JedisClients(url, requestTimeout));
        redis.probe();
        var unused = redis.prober.scheduleWithFixedDelay(
                redis::probe, PROBE_EVERY.toMillis(), PROBE_EVERY.toMillis(), TimeUnit.MILLISECONDS);
        return redis;
    }

    /** Returns why Redis is unavailable, or null if it is available. */
    public @Nullable String fault() {
        return fault;
    }

    /** The server's behavior when its memory is full, or throws a {@link StorageException}. */
    public String evictionPolicy() {
        return run(String.class, MEMORY, "porchlight:info")
                .lines()
                .filter(line -> line.startsWith("maxmemory_policy:"))
                .map(line -> line.substring(line.indexOf(':') + 1))
                .findFirst()
                .orElse("unknown");
    }

    /** Runs a script on this key and returns its result, or throws a {@link StorageException}. */
    <T> T run(Class<T> type, Script script, String key, String... arguments) {
        String known = fault;
        UnifiedJedis asked = client;
        if (known != null || asked == null) {
            throw new StorageException("Redis is unavailable: " + known);
        }
        if (RequestDeadline.leftMillis() == 0) {
            throw new StorageException(RequestDeadline.EXCEEDED);
        }
        Runnable waited = RequestDeadline.waiting();
        try {
            return type.cast(Objects.requireNonNull(eval(asked, script, key, arguments)));
        } catch (RuntimeException e) { // of the driver, or an unexpected result
            failed(key, e);
            throw new StorageException("Redis is unavailable", e);
        } finally {
            waited.run();
        }
    }

    private static @Nullable Object eval(UnifiedJedis asked, Script script, String key, String... arguments) {
        List<String> keys = List.of(key);
        List<String> rest = List.of(arguments);
        try {
            return asked.evalsha(script.digest(), keys, rest);
        } catch (JedisNoScriptException notYet) {
            return asked.eval(script.text(), keys, rest);
        }
    }

    @Override
    public void close() {
        prober.shutdownNow();
        UnifiedJedis open = client;
        if (open != null) {
            open.close();
        }
    }

    private void probe() {
        String key = suspect;
        try {
            UnifiedJedis asked = client;
            if (asked == null) {
                asked = clients.connect();
                client = asked;
            }
            var unused = eval(asked, PROBE, PREFIX + '{' + key + '}', Long.toString(PROBE_EVERY.toMillis()));
            fault = null;
        } catch (RuntimeException e) { // any exception would end the schedule
            failed(key, e);
        }
    }

    private synchronized void failed(String key, RuntimeException cause) {
        suspect = key;
        if (fault != null) {
            return;
        }
        fault = String.valueOf(cause.getMessage());
        UnifiedJedis asked = client;
        try {
            if (asked != null) {
                JedisClients.forgetIdle(asked);
            }
            prober.execute(this::probe);
        } catch (RejectedExecutionException closed) {
            // closed
        } catch (RuntimeException e) {
            // a broken connection that was not dropped fails on its next use
        }
    }
}
