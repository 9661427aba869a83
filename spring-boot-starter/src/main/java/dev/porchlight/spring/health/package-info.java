// SPDX-License-Identifier: Apache-2.0
/**
 * Whether passkeys can be read, as the health component {@code passkey}. One check, {@link
 * dev.porchlight.spring.health.StorageHealth}, and two ways to tell of it: Spring Boot 4 moved the types of health to another
 * package, and an application has one of the two.
 */
@NullMarked
package dev.porchlight.spring.health;

import org.jspecify.annotations.NullMarked;
