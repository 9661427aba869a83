// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.service;

import dev.porchlight.rig.http.Connection;
import dev.porchlight.testkit.remote.OpenIdClient;
import java.io.IOException;

/** An OpenID Provider: how it registers a client, signs users in and issues codes. Thread-safe. */
interface OpenIdProvider extends Application {
    OpenIdClient client(Connection connection) throws IOException;

    /** Signs the user with this number in and returns the session cookie. */
    String session(Running running, Connection connection, int user) throws IOException;

    /** The client over another connection. */
    default OpenIdClient at(OpenIdClient client, Connection connection) {
        return client.at(connection);
    }

    /** Whether it can use this database. */
    default boolean runsOn(Storage storage) {
        return true;
    }

    /** A code for a signed-in user. */
    String code(OpenIdClient client, Connection connection, String session) throws IOException;

    /** The path of the userinfo endpoint. */
    default String userinfo() {
        return OpenIdClient.USERINFO;
    }
}
