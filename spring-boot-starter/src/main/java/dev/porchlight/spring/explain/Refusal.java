// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

/**
 * A failed request, for operators. Unknown members are empty. Immutable.
 *
 * @param at the time in milliseconds since the epoch
 * @param supportCode the code that the user was shown
 * @param operation {@code login} or {@code registration}, else the path of the request
 * @param user the requested user
 */
public record Refusal(
        long at,
        String supportCode,
        String correlationId,
        String operation,
        String user,
        Cause cause,
        String expected,
        String found) {}
