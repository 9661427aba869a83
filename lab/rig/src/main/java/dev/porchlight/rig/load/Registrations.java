// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Response;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** New users who register, for a loop; remembers whose passkey was acknowledged, and who never learnt. Thread-safe. */
public final class Registrations {
    private final URI origin;
    private final String prefix;
    private final AtomicInteger next = new AtomicInteger();
    private final Queue<Person> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<String> unknown = new ConcurrentLinkedQueue<>();

    public Registrations(URI origin, String prefix) {
        this.origin = origin;
        this.prefix = prefix;
    }

    /** Each time somebody new signs up and registers, on the worker's own connection. */
    public IntFunction<Task> tasks(URI service, Duration timeout) {
        return worker -> Task.over(new Connection(service, timeout), this::register);
    }

    private int register(Connection connection) throws IOException {
        String userId = prefix + next.incrementAndGet();
        try {
            acknowledged.add(Person.register(connection, origin, userId));
            return 200;
        } catch (RefusedException e) {
            unknown.add(userId);
            return e.response().status();
        } catch (IOException e) {
            unknown.add(userId);
            throw e;
        }
    }

    /** Those whose passkey the service said it has. */
    public List<Person> acknowledged() {
        return new ArrayList<>(acknowledged);
    }

    /** How many of those cannot log in. */
    public int missing(Connection connection) throws IOException {
        return missing(connection, acknowledged());
    }

    /** How many of these cannot log in. */
    public static int missing(Connection connection, List<Person> people) throws IOException {
        int missing = 0;
        for (Person person : people) {
            missing += person.login(connection).ok() ? 0 : 1;
        }
        return missing;
    }

    /**
     * How many of those who were not told that their passkey is kept are neither registered nor free to try again: half a
     * user, who has no way forward.
     */
    public int stuck(Connection connection) throws IOException {
        int stuck = 0;
        for (String userId : unknown) {
            Response signup = connection.post("/auth/signup", "{\"userId\":\"" + userId + "\"}");
            stuck += signup.ok() || signup.status() == 409 ? 0 : 1;
        }
        return stuck;
    }
}
