// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.http.Answer;
import dev.porchlight.rig.http.Connection;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Registered users, each for one worker of a loop at a time. Immutable. */
public final class People {
    private static final int AT_ONCE = 4;

    private final List<Person> people;

    private People(List<Person> people) {
        this.people = people;
    }

    /** How somebody does something over a connection, such as {@link Person#register} and {@link Person#login}. */
    @FunctionalInterface
    public interface Act<T, R> {
        R by(T somebody, Connection connection) throws IOException;
    }

    /** Registers this many, through the real API. */
    public static People register(URI service, URI origin, String prefix, int count)
            throws IOException, InterruptedException {
        return register(service, prefix, count, (userId, connection) -> Person.register(connection, origin, userId));
    }

    /** Registers this many with a service that has other routes. */
    public static People register(URI service, String prefix, int count, Act<String, Person> registration)
            throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Callable<List<Person>>> parts = new ArrayList<>();
            for (int part = 0; part < AT_ONCE; part++) {
                int first = part;
                parts.add(() -> register(service, prefix, first, count, registration));
            }
            List<Person> people = new ArrayList<>();
            for (Future<List<Person>> part : threads.invokeAll(parts)) {
                people.addAll(part.get());
            }
            return new People(List.copyOf(people));
        } catch (ExecutionException e) {
            throw new IOException("registering failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Person> register(
            URI service, String prefix, int first, int count, Act<String, Person> registration) throws IOException {
        List<Person> people = new ArrayList<>();
        try (Connection connection = new Connection(service, Duration.ofSeconds(20))) {
            for (int i = first; i < count; i += AT_ONCE) {
                people.add(registration.by(prefix + i, connection));
            }
        }
        return people;
    }

    public List<Person> all() {
        return people;
    }

    public Person get(int index) {
        return people.get(index);
    }

    /**
     * Whole logins, for a loop: each worker has a connection of its own and people whom no other worker has.
     *
     * @param timeout how long a worker waits for an answer
     */
    public IntFunction<Task> logins(URI service, int workers, Duration timeout) {
        return logins(service, workers, timeout, Person::login);
    }

    /** The same at a service that has other routes. */
    public IntFunction<Task> logins(URI service, int workers, Duration timeout, Act<Person, Answer> login) {
        check(workers);
        return worker -> new LoginTask(people, worker, workers, new Connection(service, timeout)) {
            @Override
            public int run() throws IOException {
                return login.by(next(), connection).status();
            }
        };
    }

    /** The same request by request, options and finish in turns, so that each counts by itself. */
    public IntFunction<Task> loginRequests(URI service, int workers, Duration timeout) {
        check(workers);
        return worker -> new LoginTask(people, worker, workers, new Connection(service, timeout)) {
            private @Nullable Person person;
            private @Nullable Answer options;

            @Override
            public int run() throws IOException {
                Person who = person == null ? next() : person;
                if (options == null) {
                    Answer answer = who.options(connection);
                    person = answer.ok() ? who : null;
                    options = answer.ok() ? answer : null;
                    return answer.status();
                }
                String response = who.respond(options);
                person = null;
                options = null;
                return who.finish(connection, response).status();
            }
        };
    }

    private void check(int workers) {
        if (people.size() < workers) {
            throw new IllegalArgumentException(workers + " workers need as many people, not " + people.size());
        }
    }
}
