// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.response;

import dev.porchlight.testkit.wire.JsonObject;
import dev.porchlight.testkit.wire.Octets;
import org.jspecify.annotations.Nullable;

/** Mutable client data, with its members in the order of the specification. */
public final class ClientData {
    private final JsonObject members = new JsonObject();
    private final String origin;
    private final @Nullable String earlierChallenge;

    /**
     * @param topOrigin the page that frames this one from another origin, or null
     * @param earlierChallenge the challenge of this browser's previous ceremony, or null
     */
    public ClientData(
            String type,
            byte[] challenge,
            String origin,
            @Nullable String topOrigin,
            @Nullable String earlierChallenge) {
        this.origin = origin;
        this.earlierChallenge = earlierChallenge;
        members.put("type", type)
                .put("challenge", Octets.base64Url(challenge))
                .put("origin", origin)
                .put("crossOrigin", topOrigin != null);
        if (topOrigin != null) {
            members.put("topOrigin", topOrigin);
        }
    }

    public JsonObject members() {
        return members;
    }

    public String type() {
        return members.string("type");
    }

    public String challenge() {
        return members.string("challenge");
    }

    /** The origin of the page, even if the member was changed. */
    public String origin() {
        return origin;
    }

    public String earlierChallenge() {
        if (earlierChallenge == null) {
            throw new IllegalStateException("this mutation needs a browser that took part in an earlier ceremony");
        }
        return earlierChallenge;
    }

    public byte[] octets() {
        return Octets.utf8(members.toString());
    }
}
