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
 * The connection to Redis, which knows whether it is any good. Thread-safe.
 *
 * <p>Whoever fails first is the last to wait: until a small write succeeds again, everybody else is told at once that Redis
 * does not answer. That write is tried every second, whether something failed or not, and at once when something did, so that
 * a connection that was merely dropped costs one request.
 */
public final class Redis implements AutoCloseable {
    private static final Duration PROBE = Duration.ofSeconds(1);
    private static final String PREFIX = "porchlight:probe:";

    private final Clients clients;
    private final Listener listener;
    private final ScheduledExecutorService prober = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "porchlight-redis");
        thread.setDaemon(true);
        return thread;
    });
    /** Null until somebody answered for the first time. */
    private volatile @Nullable UnifiedJedis client;

    private volatile @Nullable String fault;
    /** The key whose command failed: in a cluster it says which node must be good again. */
    private volatile String suspect = "";

    /**
     * A script that the server runs as one step, and the digest by which it remembers the text.
     *
     * @param text in Lua; it touches the one key it is given
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

    /** Is told when Redis is lost and found; called by whoever notices, so it must be quick. */
    public interface Listener {
        /** Nobody who listens. */
        Listener NONE = new Listener() {
            @Override
            public void lost(String why) {}

            @Override
            public void back() {}
        };

        void lost(String why);

        void back();
    }

    private Redis(Clients clients, Listener listener) {
        this.clients = clients;
        this.listener = listener;
    }

    /** Connects; if nobody answers, goes on trying until somebody does. */
    public static Redis open(RedisUrl url, Listener listener) {
        Redis redis = new Redis(new Clients(url), listener);
        redis.probe();
        var unused = redis.prober.scheduleWithFixedDelay(
                redis::probe, PROBE.toMillis(), PROBE.toMillis(), TimeUnit.MILLISECONDS);
        return redis;
    }

    /** Why nothing can be asked now; null if all is well. */
    public @Nullable String fault() {
        return fault;
    }

    /** Sends a command that touches this key, or throws a {@link StorageException}. */
    <T> T ask(String key, Function<UnifiedJedis, T> command) {
        String known = fault;
        UnifiedJedis asked = client;
        if (known != null || asked == null) {
            throw new StorageException("Redis does not answer: " + known);
        }
        if (RequestDeadline.leftMillis() == 0) {
            throw new StorageException("the request has waited long enough");
        }
        Runnable waited = RequestDeadline.waiting();
        try {
            return command.apply(asked);
        } catch (JedisException e) {
            lost(key, e);
            throw new StorageException("Redis does not answer", e);
        } finally {
            waited.run();
        }
    }

    /** Runs a script, all of whose keys are on one node. */
    public @Nullable Object eval(String script, List<String> keys, List<String> arguments) {
        return ask(keys.get(0), jedis -> jedis.eval(script, keys, arguments));
    }

    /** Runs a script on this key. */
    @Nullable
    Object run(Script script, String key, String... arguments) {
        List<String> keys = List.of(key);
        List<String> rest = List.of(arguments);
        return ask(key, jedis -> {
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

    /** A write, because a server that is full, read-only or still loading answers everything else. */
    private void probe() {
        String key = suspect;
        try {
            UnifiedJedis asked = client;
            if (asked == null) {
                asked = clients.connect();
                client = asked;
            }
            asked.set(PREFIX + '{' + key + '}', "", SetParams.setParams().px(PROBE.toMillis()));
            back();
        } catch (RuntimeException e) { // of whatever kind: the next probe must come
            lost(key, e);
        }
    }

    private synchronized void lost(String key, RuntimeException why) {
        suspect = key;
        if (fault != null) {
            return;
        }
        String reason = String.valueOf(why.getMessage());
        fault = reason;
        UnifiedJedis asked = client;
        if (asked != null) {
            regardless(() -> Clients.forgetIdle(asked));
        }
        regardless(() -> listener.lost(reason));
        try {
            prober.execute(this::probe);
        } catch (RejectedExecutionException closed) {
            // nobody asks any more
        }
    }

    private synchronized void back() {
        if (fault != null) {
            fault = null;
            regardless(listener::back);
        }
    }

    /** Whatever fails in it, Redis must be asked again. */
    private static void regardless(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            // a connection that was not dropped fails when it is used
        }
    }
}
