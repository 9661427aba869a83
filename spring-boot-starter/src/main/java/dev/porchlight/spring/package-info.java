// SPDX-License-Identifier: Apache-2.0
/**
 * The passkey library in a Spring Boot application, 3.5 or 4: {@link dev.porchlight.spring.PorchlightProperties} says for whom,
 * {@link dev.porchlight.spring.PasskeyAutoConfiguration} makes the service on the application's data source. Each package below
 * adds one thing if the application has what it needs: {@code web} the routes, {@code security} the session, {@code metrics} and
 * {@code health} what operators look at.
 */
@NullMarked
package dev.porchlight.spring;

import org.jspecify.annotations.NullMarked;
