// SPDX-License-Identifier: Apache-2.0
/**
 * A login by passkey as Spring Security understands it, where an application has that: {@link
 * dev.porchlight.spring.security.PasskeyAuthentication} is what it finds in the security context. Whom the routes are open to is
 * said in the application's own filter chain, where everything else about access is said.
 */
@NullMarked
package dev.porchlight.spring.security;

import org.jspecify.annotations.NullMarked;
