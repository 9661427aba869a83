// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.explain;

import dev.porchlight.passkey.verify.Step;
import java.time.Instant;
import java.util.Set;

/**
 * What the service made of a response when it came, which is all that is left of what it knew then: the challenge is spent.
 *
 * @param registration whether a passkey was to be registered, rather than somebody to sign in
 * @param at when
 * @param step the step that refused
 * @param detail why
 * @param passed the steps before it
 */
public record Refusal(boolean registration, Instant at, Step step, String detail, Set<Step> passed) {
    public Refusal {
        passed = Set.copyOf(passed);
    }
}
