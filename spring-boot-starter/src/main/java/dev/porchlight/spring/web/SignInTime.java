// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Returns when the user of a request signed in. Adding and removing passkeys requires a recent sign-in, so that a stolen
 * session alone cannot do it.
 *
 * <p>The default is the time that a {@link SessionSignIn} stores. Define a bean of this type if users present tokens.
 * Implementations must be thread-safe.
 */
@FunctionalInterface
public interface SignInTime {
    /** Returns the time of the sign-in, or null if it is unknown. Must not trust input that a client can forge. */
    @Nullable
    Instant of(HttpServletRequest request, String userId);
}
