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
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.params.SetParams;

/**
 * The connection to Redis, which tracks availability. Thread-safe.
 *
 * <p>After a failure, all commands fail at once until a small write succeeds again. That write runs every second, and
 * immediately after a failure, so that a dropped connection costs only one request.
 */
public final class Redis implements AutoCloseable {
    private static final Duration PROBE = Duration.ofSeconds(1);
    private static final String PREFIX = "porchlight:probe:";

    private final JedisClients clients;
    private final Listener listener;
    private final ScheduledExecutorService prober = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "porchlight-redis");
        thread.setDaemon(true);
        return thread;
    });
    /** Null until the first connection succeeds. */
    private volatile @Nullable UnifiedJedis client;

    private volatile @Nullable String fault;
    /** The key of the failed command, which determines the cluster node to probe. */
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

    /** Is notified when Redis becomes unavailable or available again. Called on any thread; must not block. */
    public interface Listener {
        /** Ignores all notifications. */
        Listener NONE = new Listener() {
            @Override
            public void unavailable(String reason) {}

            @Override
            public void available() {}
        };

        void unavailable(String reason);

        void available();
    }

    private Redis(JedisClients clients, Listener listener) {
        this.clients = clients;
        this.listener = listener;
    }

    /** Connects; if no server responds, keeps trying in the background. */
    public static Redis open(RedisUrl url, Listener listener) {
        Redis redis = new Redis(new JedisClients(url), listener);
        redis.probe();
        var unused = redis.prober.scheduleWithFixedDelay(
                redis::probe, PROBE.toMillis(), PROBE.toMillis(), TimeUnit.MILLISECONDS);
        return redis;
    }

    /** Returns why Redis is unavailable, or null if it is available. */
    public @Nullable String fault() {
        return fault;
    }

    /** Sends a command that accesses this key, or throws a {@link StorageException}. */
    <T> T execute(String key, Function<UnifiedJedis, T> command) {
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
            return command.apply(asked);
        } catch (JedisException e) {
            failed(key, e);
            throw new StorageException("Redis is unavailable", e);
        } finally {
            waited.run();
        }
    }

    /** Runs a script whose keys are all on one node. */
    public @Nullable Object eval(String script, List<String> keys, List<String> arguments) {
        return execute(keys.get(0), jedis -> jedis.eval(script, keys, arguments));
    }

    /** Runs a script on this key. */
    @Nullable
    Object run(Script script, String key, String... arguments) {
        List<String> keys = List.of(key);
        List<String> rest = List.of(arguments);
        return execute(key, jedis -> {
            try {
                return jedis.evalsha(script.digest(), keys, rest);
            } catch (JedisNoScriptException notYet) {
                return jedis.eval(script.text(), keys, rest);
            }
        });
    }

    @Override
    public void close() {
        prober.shutdownNow();
        UnifiedJedis open = client;
        if (open != null) {
            open.close();
        }
    }

    /** Probes with a write, because a server that is full, read-only or loading still responds to reads. */
    private void probe() {
        String key = suspect;
        try {
            UnifiedJedis asked = client;
            if (asked == null) {
                asked = clients.connect();
                client = asked;
            }
            asked.set(PREFIX + '{' + key + '}', "", SetParams.setParams().px(PROBE.toMillis()));
            succeeded();
        } catch (RuntimeException e) { // any exception would end the schedule
            failed(key, e);
        }
    }

    private synchronized void failed(String key, RuntimeException cause) {
        suspect = key;
        if (fault != null) {
            return;
        }
        String reason = String.valueOf(cause.getMessage());
        fault = reason;
        UnifiedJedis asked = client;
        if (asked != null) {
            ignoringFailure(() -> JedisClients.forgetIdle(asked));
        }
        ignoringFailure(() -> listener.unavailable(reason));
        try {
            prober.execute(this::probe);
        } catch (RejectedExecutionException closed) {
            // closed
        }
    }

    private synchronized void succeeded() {
        if (fault != null) {
            fault = null;
            ignoringFailure(listener::available);
        }
    }

    /** Runs a step whose failure must not stop the probes. */
    private static void ignoringFailure(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            // a broken connection that was not dropped fails on its next use
        }
    }
}
