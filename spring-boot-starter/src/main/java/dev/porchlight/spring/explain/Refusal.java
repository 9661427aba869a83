// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

/**
 * A failed request, for operators. Unknown members are empty. Immutable.
 *
 * @param at the time in milliseconds since the epoch
 * @param supportCode the code that the user was shown
 * @param operation {@code login} or {@code registration}, else the path of the request
 * @param user the requested user
 * @param userHandle the user handle that a passkey presented, if no user was requested
 */
public record Refusal(
        long at,
        String supportCode,
        String correlationId,
        String operation,
        String user,
        String userHandle,
        Cause cause,
        String expected,
        String found) {
    /** The same refusal with what was found out about its user. */
    Refusal with(String knownUser, Cause better) {
        return new Refusal(at, supportCode, correlationId, operation, knownUser, userHandle, better, expected, found);
    }
}
