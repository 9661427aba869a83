// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.transfer;

import dev.porchlight.passkey.store.ClashException;
import java.io.IOException;

/** Users and passkeys that come from somewhere. */
@FunctionalInterface
public interface Arrivals {
    /** Hands over all of them, in the order they come, having checked each. */
    void readInto(Sink sink) throws IOException, BadLineException, ClashException;
}
