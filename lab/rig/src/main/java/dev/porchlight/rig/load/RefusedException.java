// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.testkit.remote.TestResponse;
import java.io.IOException;

/** The service responded with an error status. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient TestResponse response;

    RefusedException(String path, TestResponse response) {
        super(path + " returned " + response);
        this.response = response;
    }

    public TestResponse response() {
        return response;
    }
}
