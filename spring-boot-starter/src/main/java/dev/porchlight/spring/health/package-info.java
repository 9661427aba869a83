// SPDX-License-Identifier: Apache-2.0
/**
 * The health component {@code passkey}: one check, {@link dev.porchlight.spring.health.StorageHealth}, and one configuration for
 * each package of Spring Boot's health types, which moved in Spring Boot 4.
 */
@NullMarked
package dev.porchlight.spring.health;

import org.jspecify.annotations.NullMarked;
