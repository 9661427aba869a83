// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.bench.passkey;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;

/** The challenge of options, which peers want as bytes. */
final class Challenge {
    private static final int MAX_BYTES = 128;

    private Challenge() {}

    static byte[] in(String options) {
        try {
            return JsonObject.parse(options, "").bytes("challenge", MAX_BYTES).toByteArray();
        } catch (MalformedException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
