// SPDX-License-Identifier: Apache-2.0
/**
 * The four passkey routes as functional endpoints of Spring MVC, and two decisions that an application can override
 * with a bean: {@link dev.porchlight.spring.web.RegisteringUser}, the user a request may register a passkey for, and
 * {@link dev.porchlight.spring.web.PasskeySignIn}, the result of a verified login. Bodies are parsed and written here,
 * so the routes work with any JSON library of the application.
 */
@NullMarked
package dev.porchlight.spring.web;

import org.jspecify.annotations.NullMarked;
