// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.server.storage.Actor;

/** Why an operator is refused: before the handler, or in the transaction of the change. */
public final class OperatorProblem {
    public static final Problem UNAUTHENTICATED =
            Problem.of(401, "unauthenticated", "This route requires an operator: sign in, or send a valid token.");
    public static final Problem NO_ROLE =
            Problem.of(403, "no_role", "Your account has no role. An owner can give you one.");
    public static final Problem INSUFFICIENT_ROLE =
            Problem.of(403, "insufficient_role", "Your role does not allow this.");
    public static final Problem PROTECTED_USER = Problem.of(
            403,
            "protected_user",
            "This user has a role. Only an owner can change what gives access to their account.");

    private OperatorProblem() {}

    static Problem of(Actor.Denial denial) {
        return switch (denial) {
            case SIGNED_OUT -> Problem.SIGNED_OUT;
            case NO_ROLE -> NO_ROLE;
            case ROLE_CHANGED -> INSUFFICIENT_ROLE.withDetail("Your role has just changed. Try again.");
            case PROTECTED_USER -> PROTECTED_USER;
        };
    }
}
