// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.http.Answer;
import java.io.IOException;

/** What a worker of a loop does again and again, such as a login. For one thread. */
public interface Task extends AutoCloseable {
    /** Does it once and returns the answer that counts. */
    Answer run() throws IOException;

    @Override
    void close();
}
