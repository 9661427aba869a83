// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.limits;

import dev.porchlight.drill.scenario.TestBed;
import dev.porchlight.rig.Instance;
import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.support.Patience;
import dev.porchlight.testkit.remote.Person;
import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** R39: 200 users behind one address sign in within two minutes, with a new connection for every request. */
public final class ManyBehindOneAddress {
    private static final String REPORT = "{\"ceremony\":\"login\",\"outcome\":\"ok\"}";

    public void run(TestBed bed) throws Exception {
        int count = bed.rounds(200, 60);
        long betweenMillis = bed.rounds(600, 0);
        Instance service = bed.services().limited().instance();
        List<Person> people = register(service, count);
        Map<Integer, Integer> statuses = new TreeMap<>();
        int logins = 0;
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Thread.sleep(Math.max(0, i * betweenMillis - elapsedMillis(begin)));
            logins += visit(service, people.get(i), statuses) ? 1 : 0;
        }
        long seconds = elapsedMillis(begin) / 1_000;

        int requests = statuses.values().stream().mapToInt(it -> it).sum();
        int limited = statuses.getOrDefault(429, 0);
        bed.note("%d users in %d s, %,d requests on as many connections", count, seconds, requests);
        bed.expect(logins == count, "%d signed in", logins);
        bed.expect(limited == 0, "%d requests limited", limited);
    }

    /** Signs up each user from another address, since one address may not sign up so many at once. */
    private static List<Person> register(Instance service, int count) throws IOException {
        List<Person> people = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            InetAddress address = InetAddress.getByName("127.0.39." + (1 + i));
            try (Connection connection = new Connection(service.address(), Patience.LIMIT, address)) {
                people.add(Users.register(connection, service.address(), "user-" + i));
            }
        }
        return people;
    }

    /** Sends the requests of a browser that opens the sign-in page and signs in. Returns whether the login succeeded. */
    private static boolean visit(Instance service, Person person, Map<Integer, Integer> statuses) {
        request(service, statuses, person, it -> it.web().get(Person.SESSION));
        request(service, statuses, person, it -> it.web().get(Person.LOGIN_OPTIONS));
        TestResponse options = request(service, statuses, person, Person::options);
        if (!options.ok()) {
            return false;
        }
        String response = person.respond(options);
        TestResponse login = request(service, statuses, person, it -> it.finishLogin(response));
        if (!login.ok()) {
            return false;
        }
        String token = login.field("token");
        request(service, statuses, person, it -> it.web().post("/auth/passkey/report", REPORT));
        request(service, statuses, person, it -> it.web().bearer(token).get(Person.SESSION));
        request(service, statuses, person, it -> it.web().bearer(token).get(Person.CREDENTIALS));
        return true;
    }

    private static TestResponse request(
            Instance service, Map<Integer, Integer> statuses, Person person, Function<Person, TestResponse> operation) {
        try (Connection connection = service.connect()) {
            TestResponse response = operation.apply(person.at(connection));
            statuses.merge(response.status(), 1, Integer::sum);
            return response;
        }
    }

    private static long elapsedMillis(long begin) {
        return (System.nanoTime() - begin) / 1_000_000;
    }
}
