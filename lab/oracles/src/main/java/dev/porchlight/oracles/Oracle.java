// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.oracles;

import java.util.Map;

/** A relying party built on a third-party library, with the passkeys that it has accepted. */
public interface Oracle {
    /** Verifies a response to these creation options, and stores the passkey if it is accepted. */
    Verdict register(String creationOptions, String response);

    /** Verifies a response to these request options, and stores the new sign count if it is accepted. */
    Verdict authenticate(String requestOptions, String response);

    /** The extension outputs that the library has a type for, in the last response that it accepted: {@code largeBlob.written}. */
    Map<String, Object> outputs();

    /** The result of an oracle, with the library's own reason. */
    record Verdict(boolean accepted, String reason) {
        static Verdict of(ThrowingRunnable ceremony) {
            try {
                ceremony.run();
                return new Verdict(true, "accepted");
            } catch (Exception e) {
                return new Verdict(false, e.getClass().getSimpleName() + ": " + e.getMessage());
            } catch (StackOverflowError e) {
                return new Verdict(false, "StackOverflowError");
            }
        }
    }

    /** A ceremony that refuses by throwing. */
    @FunctionalInterface
    interface ThrowingRunnable {
        void run() throws Exception;
    }
}
