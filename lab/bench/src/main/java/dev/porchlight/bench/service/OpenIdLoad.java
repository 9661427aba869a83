// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.Parallel;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Loop;
import dev.porchlight.rig.load.Task;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Users of an application that signs them in at a provider, one per connection. Not thread-safe. */
final class OpenIdLoad {
    static final int CONNECTIONS = 16;
    private static final int WARM_OPERATIONS = 8_000;
    private static final int WARM_SLICES = 12;

    /** What is measured. */
    enum Operation {
        SIGN_IN("whole sign-in: authorize, passkey, token, userinfo"),
        CODE("code and its tokens, with a session"),
        REFRESH("refresh"),
        USERINFO("userinfo");

        private final String label;

        Operation(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    private final OpenIdProvider provider;
    private final Running running;
    private final OpenIdClient client;
    private final List<User> users = new ArrayList<>();

    /** Registers the client and signs the users in. */
    OpenIdLoad(OpenIdProvider provider, Running running) throws IOException, InterruptedException {
        this.provider = provider;
        this.running = running;
        try (Connection connection = running.instance().connect()) {
            client = provider.client(connection);
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            users.add(new User(i));
        }
        prepare();
        check(users.get(0));
    }

    OpenIdProvider provider() {
        return provider;
    }

    String label() {
        return provider.label();
    }

    /** Resident memory now. */
    double megabytes() throws IOException {
        return running.residentMegabytes();
    }

    /** A user with a browser, which is also the application's connection. Confined to one thread at a time. */
    private final class User {
        private final int number;
        private final Connection connection = running.instance().connect();
        private String session = "";
        private TestResponse tokens = TestResponse.none();

        private User(int number) {
            this.number = number;
        }

        private int run(Operation operation) throws IOException {
            return switch (operation) {
                case SIGN_IN -> {
                    session = provider.session(running, connection, number);
                    redeem();
                    yield userinfo();
                }
                case CODE -> redeem();
                case REFRESH -> {
                    TestResponse next = provider.at(client, connection).refresh(tokens.field("refresh_token"));
                    tokens = next.ok() ? next : tokens;
                    yield next.status();
                }
                case USERINFO -> userinfo();
            };
        }

        private int redeem() throws IOException {
            tokens = provider.at(client, connection).redeem(provider.code(client, connection, session));
            return tokens.status();
        }

        private int userinfo() throws IOException {
            return userinfo(tokens.field("access_token")).status();
        }

        private TestResponse userinfo(String token) throws IOException {
            return connection.get(provider.userinfo(), "Authorization", "Bearer " + token);
        }
    }

    /** Gives each user a new session and new tokens, so that none expires during a measurement. */
    private void prepare() throws IOException, InterruptedException {
        Parallel.map(users, user -> {
            user.connection.close(); // the provider may have closed it while it was idle
            user.session = provider.session(running, user.connection, user.number);
            return user.redeem();
        });
    }

    /** A provider that accepts anything would win every comparison. */
    private void check(User user) throws IOException {
        String code = provider.code(client, user.connection, user.session);
        TestResponse tokens = provider.at(client, user.connection).redeem(code);
        String used = tokens.field("refresh_token");
        TestResponse next = provider.at(client, user.connection).refresh(used);
        boolean replayed = provider.at(client, user.connection).refresh(used).ok()
                || provider.at(client, user.connection).redeem(code).ok();
        boolean forged = user.userinfo(next.field("access_token") + "A").ok();
        if (!tokens.ok() || !next.ok() || replayed || forged) {
            throw new IOException(
                    label() + ": " + tokens.status() + ", " + next + ", replayed " + replayed + ", forged " + forged);
        }
    }

    void warmUp(Operation operation) throws IOException, InterruptedException {
        double done = 0;
        for (int slice = 0; slice < WARM_SLICES && done < WARM_OPERATIONS; slice++) {
            done += run(operation, Load.SLICE).logins();
        }
    }

    /** Runs an operation at full speed. */
    Load.Throughput run(Operation operation, Duration length) throws IOException, InterruptedException {
        prepare();
        // the connections are kept for the next measurement
        IntFunction<Task> tasks = worker -> () -> users.get(worker).run(operation);
        return Load.Throughput.of(running, () -> Loop.closed(CONNECTIONS, tasks), length);
    }
}
