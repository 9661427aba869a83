// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit;

import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import java.util.List;
import java.util.stream.Stream;

/** Options as a relying party would send them. */
final class Options {
    static final String CHALLENGE = Octets.base64Url(Octets.sha256(Octets.utf8("a challenge")));
    static final String LOGIN_CHALLENGE = Octets.base64Url(Octets.sha256(Octets.utf8("another challenge")));

    private Options() {}

    static String creation(String rpId, String user) {
        return new JsonObject()
                .put("rp", new JsonObject().put("id", rpId).put("name", "Example"))
                .put(
                        "user",
                        new JsonObject()
                                .put("id", Octets.base64Url(Octets.utf8("handle of " + user)))
                                .put("name", user)
                                .put("displayName", user))
                .put("challenge", CHALLENGE)
                .put(
                        "pubKeyCredParams",
                        List.of(new JsonObject().put("type", "public-key").put("alg", -7L)))
                .put("excludeCredentials", List.of())
                .put("authenticatorSelection", new JsonObject().put("residentKey", "required"))
                .put("attestation", "direct")
                .put("extensions", new JsonObject().put("credProps", true))
                .toString();
    }

    static String request(String rpId, String... allowed) {
        return "{\"challenge\":\"" + LOGIN_CHALLENGE + "\",\"rpId\":\"" + rpId + "\",\"userVerification\":\"preferred\""
                + ",\"allowCredentials\":" + list(allowed) + "}";
    }

    static String list(String... ids) {
        return Stream.of(ids)
                .map(id -> new JsonObject().put("type", "public-key").put("id", id))
                .toList()
                .toString();
    }
}
