// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.storage;

import dev.porchlight.drill.scenario.Fleet;
import dev.porchlight.drill.scenario.Fleet.Store;
import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.remote.Web;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** R34: a passkey is removed while its owner signs in without pause. */
public final class RemovalWhileSigningIn {
    private static final int WORKERS = 4;

    public void run(TestBed bed) throws Exception {
        int rounds = bed.rounds(200, 5);
        for (Store store : Store.values()) {
            try (Fleet fleet = bed.services().fleet(store)) {
                remove(fleet, rounds, bed);
            }
        }
    }

    private static void remove(Fleet fleet, int rounds, TestBed bed) throws Exception {
        List<Instance> instances = fleet.instances();
        String store = fleet.store();
        ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
        int before = 0;
        int accepted = 0;
        int later = 0;
        try (Connection connection = instances.get(0).connect()) {
            Person owner = Users.register(connection, instances.get(0).address(), "owner-" + store);
            for (int i = 0; i < rounds; i++) {
                Removal removal = new Removal(instances, owner, connection);
                removal.run(threads);
                before += removal.signedIn.size();
                accepted += removal.accepted();
                later += removal.later.get();
            }
        } finally {
            threads.shutdownNow();
        }
        bed.call(fleet.launches().get(0), "audit", "verify");
        bed.expect(
                accepted == 0 && before >= rounds,
                "%s: %d rounds, %,d logins before the removal, %d of their sessions and tokens accepted after it",
                store,
                rounds,
                before,
                accepted);
        bed.expect(later == 0, "%d logins started after it succeeded", later);
    }

    /** The life of one passkey, from its registration to the end of its sessions and tokens. */
    private static final class Removal {
        private final List<Instance> instances;
        private final Connection connection;
        private final Person holder;
        private final String ownersToken;
        private final List<TestResponse> signedIn = new ArrayList<>();
        private final AtomicBoolean removed = new AtomicBoolean();
        private final AtomicInteger later = new AtomicInteger();

        Removal(List<Instance> instances, Person owner, Connection connection) throws IOException {
            this.instances = instances;
            this.connection = connection;
            ownersToken = owner.tryLogin().field("token");
            holder = Users.enroll(connection, instances.get(0).address(), owner.userId(), ownersToken);
        }

        void run(ExecutorService threads) throws Exception {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                Instance instance = instances.get(i % instances.size());
                workers.add(threads.submit(() -> signIn(instance)));
            }
            while (signedIn() == 0) {
                Thread.onSpinWait();
            }
            TestResponse response = holder.remove(new Web(connection).bearer(ownersToken));
            removed.set(true);
            for (Future<?> worker : workers) {
                worker.get();
            }
            if (!response.ok()) {
                throw new IOException("the removal returned " + response);
            }
        }

        private synchronized int signedIn() {
            return signedIn.size();
        }

        private synchronized void keep(TestResponse login) {
            signedIn.add(login);
        }

        /** Signs in without pause until the passkey is removed, and once more. */
        private Void signIn(Instance instance) throws IOException {
            try (Connection mine = instance.connect()) {
                boolean afterwards;
                do {
                    afterwards = removed.get();
                    TestResponse login = holder.at(mine).tryLogin();
                    if (login.ok()) {
                        keep(login);
                        later.addAndGet(afterwards ? 1 : 0);
                    }
                } while (!afterwards);
            }
            return null;
        }

        /** The number of tokens and sessions that any instance accepts. */
        int accepted() throws IOException {
            int accepted = 0;
            for (Instance instance : instances) {
                try (Connection asking = instance.connect()) {
                    for (TestResponse login : signedIn) {
                        accepted += accepts(asking, "Authorization", "Bearer " + login.field("token"));
                        accepted += accepts(asking, "Cookie", login.cookie());
                    }
                    if (accepts(asking, "Authorization", "Bearer " + ownersToken) == 0) {
                        throw new IOException("the owner's token is not accepted either");
                    }
                }
            }
            return accepted;
        }

        private static int accepts(Connection asking, String... header) throws IOException {
            return asking.get("/auth/session", header).status() == 401 ? 0 : 1;
        }
    }
}
