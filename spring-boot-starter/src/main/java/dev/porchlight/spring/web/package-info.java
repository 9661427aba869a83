// SPDX-License-Identifier: Apache-2.0
/**
 * The four routes of a passkey's life as Spring MVC serves them, and the two questions that only the application can answer:
 * {@link dev.porchlight.spring.web.RegisteringUser}, for whom a request may register a passkey, and {@link
 * dev.porchlight.spring.web.PasskeySignIn}, what a verified login yields. A bean of either type replaces the default. Bodies are
 * read and answers written here, so it does not matter which JSON library the application has.
 */
@NullMarked
package dev.porchlight.spring.web;

import org.jspecify.annotations.NullMarked;
