// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.http.Response;
import java.io.IOException;

/** The service responded with an error status. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Response response;

    RefusedException(String path, Response response) {
        super(path + " returned " + response);
        this.response = response;
    }

    public Response response() {
        return response;
    }
}
