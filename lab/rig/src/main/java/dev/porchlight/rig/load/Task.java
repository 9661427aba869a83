// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import java.io.IOException;

/** What a worker of a loop does again and again, such as a login. For one thread. */
public interface Task extends AutoCloseable {
    /** Does it once and returns the status of the answer that counts. */
    int run() throws IOException;

    @Override
    void close();
}
