// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

import dev.porchlight.testkit.remote.OpenIdClient;
import dev.porchlight.testkit.remote.TestResponse;
import dev.porchlight.testkit.wire.JsonObject;

/** Attempts of one kind on OpenID Connect, with temporary clients. */
@SuppressWarnings("NullAway.Init") // set before the first attempt
abstract class OpenIdAttack extends Attack {
    OpenIdScene openId;
    OpenIdClient app;

    @Override
    final void attempt() {
        OpenIdScene clients = OpenIdScene.set(scene);
        if (clients == null) {
            String why = scene.adminToken() == null ? "set ADMIN_TOKEN in the environment" : "the service refused";
            skip("OpenID Connect", "clients cannot be registered: " + why);
            return;
        }
        openId = clients;
        app = clients.app();
        try {
            if (clients.issuer().isEmpty()) {
                skip("OpenID Connect", "it is off: there is no discovery document");
            } else {
                attemptOpenId();
            }
        } finally {
            clients.clear();
        }
    }

    abstract void attemptOpenId();

    /** The response to a valid sign-in of the victim at the app, without which nothing can be tried. */
    final TestResponse signIn() {
        TestResponse response = OpenIdClient.proceed(openId.victim(), app.begin(app.request()));
        if (OpenIdScene.parameter(response, "code") == null) {
            throw new AttackException("a valid sign-in to a client failed with " + response);
        }
        return response;
    }

    /** A code for the victim at the app. */
    final String code() {
        return app.code(openId.victim());
    }

    /** Tokens for the victim at the app. */
    final JsonObject tokens() {
        return app.tokens(openId.victim());
    }
}
