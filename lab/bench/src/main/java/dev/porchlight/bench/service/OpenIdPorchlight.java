// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.rig.load.Users;
import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.Person;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Our service as an OpenID Provider. A new session is a login with the user's passkey. Thread-safe. */
final class OpenIdPorchlight implements OpenIdProvider {
    private final Porchlight service = new Porchlight("Porchlight", Jdk.OURS, Porchlight.SESSION);
    private final Map<String, Person> people = new ConcurrentHashMap<>();

    @Override
    public String label() {
        return service.label();
    }

    @Override
    public Running launch(Path directory, Storage.Address storage) throws IOException {
        return service.launch(directory, storage);
    }

    @Override
    public OpenIdClient client(Connection connection) throws IOException {
        return Users.client(connection, "app");
    }

    @Override
    public String session(Running running, Connection connection, int user) throws IOException {
        String key = running.instance().address() + " user-" + user;
        Person person = people.get(key);
        if (person == null) {
            person = Users.register(connection, running.instance().address(), "user-" + user);
            people.put(key, person);
        }
        return person.at(connection).tryLogin().cookie();
    }

    @Override
    public String code(OpenIdClient client, Connection connection, String session) throws IOException {
        return client.at(connection).code(session);
    }
}
