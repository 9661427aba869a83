// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.http.Request;
import dev.porchlight.rig.load.Users.RefusedException;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Registers new users in a loop, and records which passkeys were acknowledged. Thread-safe. */
public final class RegistrationLoad {
    private static final int MOST_TRIES = 20;

    private final URI origin;
    private final String prefix;
    private final AtomicInteger next = new AtomicInteger();
    private final Queue<Person> acknowledged = new ConcurrentLinkedQueue<>();
    private final Queue<String> unknown = new ConcurrentLinkedQueue<>();

    public RegistrationLoad(URI origin, String prefix) {
        this.origin = origin;
        this.prefix = prefix;
    }

    /** Tasks that each sign up and register a new user on the worker's connection. */
    public IntFunction<Task> tasks(URI service, Duration timeout) {
        return worker -> Task.over(new Connection(service, timeout), this::register);
    }

    private int register(Connection connection) throws IOException {
        String userId = prefix + next.incrementAndGet();
        try {
            acknowledged.add(Users.register(connection, origin, userId));
            return 200;
        } catch (RefusedException e) {
            unknown.add(userId);
            return e.response().status();
        } catch (IOException e) {
            unknown.add(userId);
            throw e;
        }
    }

    /** The users whose registration was acknowledged. */
    public List<Person> acknowledged() {
        return new ArrayList<>(acknowledged);
    }

    /** The number of acknowledged users who cannot log in. */
    public int missing(Connection connection) throws IOException {
        return missing(connection, acknowledged());
    }

    /** The number of these users who cannot log in. */
    public static int missing(Connection connection, List<Person> people) throws IOException {
        int missing = 0;
        for (Person person : people) {
            Request login = () -> person.at(connection).tryLogin();
            missing += login.send(MOST_TRIES).ok() ? 0 : 1;
        }
        return missing;
    }

    /**
     * The number of users without an acknowledgement who are neither registered nor able to sign up again: half-created
     * users with no way forward.
     */
    public int stuck(Connection connection) throws IOException {
        int stuck = 0;
        for (String userId : unknown) {
            TestResponse signup = connection.post("/auth/signup", "{\"userId\":\"" + userId + "\"}");
            stuck += signup.ok() || signup.status() == 409 ? 0 : 1;
        }
        return stuck;
    }
}
