// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.http.Connection;
import java.util.List;

/** A worker's share of the people, and its connection. For one thread. */
abstract class LoginTask implements Task {
    final Connection connection;
    private final List<Person> people;
    private final int first;
    private final int step;
    private int next;

    LoginTask(List<Person> people, int first, int step, Connection connection) {
        this.people = people;
        this.first = first;
        this.step = step;
        this.next = first;
        this.connection = connection;
    }

    final Person next() {
        Person person = people.get(next);
        next = next + step < people.size() ? next + step : first;
        return person;
    }

    @Override
    public final void close() {
        connection.close();
    }
}
