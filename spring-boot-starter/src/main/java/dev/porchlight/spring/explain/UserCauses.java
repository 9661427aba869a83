// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

import dev.porchlight.passkey.PasskeyService;
import dev.porchlight.passkey.Step;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Finds causes that depend on the user. Only when an operator asks: a lookup while a request is refused would take a time that
 * reveals to its client whether a user exists. Thread-safe.
 *
 * @param owners finds the user of a user handle, or null
 */
record UserCauses(PasskeyService passkeys, Accounts accounts, UnaryOperator<@Nullable String> owners) {
    /** Outcomes of a prompt that may have had no passkey to offer. */
    private static final Set<String> PROMPT = Set.of("blocked", "dismissed", "timeout", "waiting");

    /** Returns the refusal, with another cause and user if they are known. */
    Refusal explain(Refusal refusal) {
        try {
            return find(refusal);
        } catch (RuntimeException unavailable) { // a database, or what the application asks for its accounts
            return refusal;
        }
    }

    private Refusal find(Refusal refusal) {
        String code = refusal.cause().code();
        String user = refusal.user();
        if (user.isEmpty() && code.equals(Step.CREDENTIAL_KNOWN.code())) {
            String owner = refusal.userHandle().isEmpty() ? null : owners.apply(refusal.userHandle());
            return owner == null ? refusal : refusal.with(owner, cause("passkey_removed"));
        }
        boolean prompted = PROMPT.contains(code) && refusal.operation().equals("login");
        if (!prompted || user.isEmpty() || passkeys.passkeyCount(user) > 0) {
            return refusal;
        }
        return refusal.with(user, cause(accounts.mayExist(user) ? "no_passkey" : "unknown_user"));
    }

    private static Cause cause(String code) {
        return Objects.requireNonNull(Cause.find("user", code));
    }
}
