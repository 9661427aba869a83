// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.oracles;

/** A relying party built on somebody else's library, with the passkeys it has accepted so far. */
public interface Oracle {
    /** Judges the response to these creation options, and keeps the passkey if it is accepted. */
    Verdict register(String creationOptions, String response);

    /** Judges the response to these request options, and keeps the new sign count if it is accepted. */
    Verdict authenticate(String requestOptions, String response);

    /** What an oracle says, in its own words. */
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
