// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.Parallel;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users.RefusedException;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Registered users, partitioned among the workers of a loop. Immutable. */
public final class People {
    private static final int AT_ONCE = 4;
    private static final int MOST_TRIES = 5;
    private static final long BETWEEN_TRIES = Duration.ofMillis(500).toNanos();

    private final List<Person> people;

    private People(List<Person> people) {
        this.people = people;
    }

    /** An operation over a connection, such as a registration or a login. */
    @FunctionalInterface
    public interface Operation<T, R> {
        R run(T subject, Connection connection) throws IOException;
    }

    /** Registers users at a service whose address is its origin. */
    public static People register(URI service, String prefix, int count) throws IOException, InterruptedException {
        return register(service, service, prefix, count);
    }

    /** Registers users through the real API. */
    public static People register(URI service, URI origin, String prefix, int count)
            throws IOException, InterruptedException {
        return register(service, prefix, count, (userId, connection) -> Users.register(connection, origin, userId));
    }

    /** Registers users at a service with other routes. */
    public static People register(URI service, String prefix, int count, Operation<String, Person> registration)
            throws IOException, InterruptedException {
        return new People(
                Parallel.map(Parallel.workers(AT_ONCE), first -> register(service, prefix, first, count, registration))
                        .stream()
                        .flatMap(List::stream)
                        .toList());
    }

    private static List<Person> register(
            URI service, String prefix, int first, int count, Operation<String, Person> registration)
            throws IOException {
        List<Person> people = new ArrayList<>();
        try (Connection connection = new Connection(service, Patience.LIMIT)) {
            for (int i = first; i < count; i += AT_ONCE) {
                people.add(register(prefix + i, connection, registration));
            }
        }
        return people;
    }

    /** Registers a user, or one with a longer name after 503, since a service on a busy machine may miss its deadline. */
    private static Person register(String userId, Connection connection, Operation<String, Person> registration)
            throws IOException {
        String name = userId;
        for (int left = MOST_TRIES - 1; ; left--) {
            try {
                return registration.run(name, connection);
            } catch (RefusedException e) {
                if (e.response().status() != 503 || left == 0) {
                    throw e;
                }
                LockSupport.parkNanos(BETWEEN_TRIES);
                name += "-again";
            }
        }
    }

    public Person get(int index) {
        return people.get(index);
    }

    /**
     * Login tasks for a loop: each worker has its own connection and its own users.
     *
     * @param timeout how long a worker waits for a response
     */
    public IntFunction<Task> logins(URI service, int workers, Duration timeout) {
        return logins(
                service,
                workers,
                timeout,
                (person, connection) -> person.at(connection).tryLogin());
    }

    /** Login tasks for a service with other routes. */
    public IntFunction<Task> logins(URI service, int workers, Duration timeout, Operation<Person, TestResponse> login) {
        check(workers);
        return worker -> {
            Iterator<Person> turns = turns(worker, workers);
            return Task.over(
                    new Connection(service, timeout),
                    connection -> login.run(turns.next(), connection).status());
        };
    }

    /** Login tasks that count options and finish as separate requests. */
    public IntFunction<Task> loginRequests(URI service, int workers, Duration timeout) {
        check(workers);
        return worker -> {
            Iterator<Person> turns = turns(worker, workers);
            return Task.over(new Connection(service, timeout), new Task.Requests() {
                private Person person = turns.next();
                private @Nullable TestResponse options;

                @Override
                public int send(Connection connection) throws IOException {
                    if (options == null) {
                        TestResponse response = person.at(connection).options();
                        if (response.ok()) {
                            options = response;
                        } else {
                            person = turns.next();
                        }
                        return response.status();
                    }
                    Person finishing = person;
                    String response = finishing.respond(options);
                    person = turns.next();
                    options = null;
                    return finishing.at(connection).finishLogin(response).status();
                }
            });
        };
    }

    /** Cycles through a worker's share of the users. */
    private Iterator<Person> turns(int worker, int workers) {
        return Stream.iterate(worker, i -> i + workers < people.size() ? i + workers : worker)
                .map(people::get)
                .iterator();
    }

    private void check(int workers) {
        if (people.size() < workers) {
            throw new IllegalArgumentException(workers + " workers need as many users, not " + people.size());
        }
    }
}
