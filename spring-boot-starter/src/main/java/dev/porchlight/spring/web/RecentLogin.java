// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import java.time.Duration;

/**
 * How old a sign-in may be to add or remove a passkey, from the properties. Immutable.
 *
 * @param maxAge the maximum age
 */
public record RecentLogin(Duration maxAge) {}
