// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server;

import dev.porchlight.testkit.server.MissingProgramException;
import dev.porchlight.testkit.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The Redis servers that the service is tested on. */
public final class TestRedis {
    private TestRedis() {}

    /** A new empty server without a password. */
    public static RedisServer start(String... arguments) {
        return started(() -> RedisServer.start(arguments));
    }

    /** A new empty server with a password. */
    public static RedisServer startWithPassword(String password) {
        return started(() -> RedisServer.startWithPassword(password));
    }

    private interface Start {
        RedisServer run() throws IOException, MissingProgramException;
    }

    private static RedisServer started(Start start) {
        try {
            return start.run();
        } catch (MissingProgramException e) {
            return missing(e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Skips on developer machines. Where every test must run, a missing server is a failure. */
    private static RedisServer missing(String why) {
        if ("true".equals(System.getenv("CI"))) {
            Assertions.fail(why);
        }
        System.err.println("Skipped: " + why);
        return Assumptions.abort(why);
    }
}
