// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.wiring;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parts in order of dependency. Starts them in that order and closes them in reverse. Not thread-safe. */
public final class Parts implements AutoCloseable {
    private final List<Part> parts = new ArrayList<>();

    /** Adds a part that depends on earlier ones. It is also closed if the start fails halfway. */
    public void add(Part part) {
        parts.add(part);
    }

    public void start() throws IOException {
        for (Part part : parts) {
            part.start();
        }
    }

    /** Closes all parts, even if one fails. */
    @Override
    public void close() {
        RuntimeException failure = closeAll();
        if (failure != null) {
            throw failure;
        }
    }

    /** Closes all parts after a failed start. */
    public void closeAfter(Exception failure) {
        RuntimeException another = closeAll();
        if (another != null) {
            failure.addSuppressed(another);
        }
    }

    private @Nullable RuntimeException closeAll() {
        RuntimeException failure = null;
        while (!parts.isEmpty()) {
            try {
                parts.remove(parts.size() - 1).close();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        return failure;
    }
}
