// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.verify;

import dev.porchlight.base.Bytes;
import dev.porchlight.passkey.data.CollectedClientData;

/**
 * Client data that answers a challenge of ours, in time, from a page of ours. Only {@link ClientDataCeremony} makes it,
 * so whoever has one knows that those steps have passed. Immutable.
 */
public final class AcceptedClientData {
    private final Purpose purpose;
    private final String origin;
    private final Bytes hash;

    AcceptedClientData(Purpose purpose, CollectedClientData data) {
        this.purpose = purpose;
        this.origin = data.origin();
        this.hash = data.hash();
    }

    /** What its challenge was issued for. */
    public Purpose purpose() {
        return purpose;
    }

    /** The origin of the page. */
    public String origin() {
        return origin;
    }

    /** SHA-256 over the client data as received. */
    Bytes hash() {
        return hash;
    }
}
