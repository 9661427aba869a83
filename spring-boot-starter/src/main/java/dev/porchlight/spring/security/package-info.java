// SPDX-License-Identifier: Apache-2.0
/**
 * Passkey logins in Spring Security, if the application uses it: the security context holds a {@link
 * dev.porchlight.spring.security.PasskeyAuthentication}. The application's own filter chain controls access to the
 * routes.
 */
@NullMarked
package dev.porchlight.spring.security;

import org.jspecify.annotations.NullMarked;
