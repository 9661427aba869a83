// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.auth;

import dev.porchlight.server.auth.Enrollments.Enrollment;
import org.jspecify.annotations.Nullable;

/**
 * A user with the right to register a passkey: by a recent sign-in or by an enrollment token.
 *
 * @param caller the signed-in user; null with an enrollment token
 * @param enrollment the content of the enrollment token; null with a sign-in
 */
public record Registrant(
        String userId, @Nullable Caller caller, @Nullable Enrollment enrollment) {}
