// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

/** The storage of a {@link Fleet}. */
public enum Store {
    /** One instance with an embedded database. */
    SQLITE("SQLite"),
    /** Two instances. */
    POSTGRESQL("PostgreSQL");

    private final String text;

    Store(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
