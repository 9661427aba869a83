// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.rig.load;

import dev.porchlight.rig.http.Answer;
import java.io.IOException;

/** The service answered, and not with success. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Answer answer;

    RefusedException(String path, Answer answer) {
        super(path + " answered " + answer);
        this.answer = answer;
    }

    public Answer answer() {
        return answer;
    }
}
