// SPDX-License-Identifier: Apache-2.0
/**
 * The passkey library in a Spring Boot 3.5 or 4 application. {@link dev.porchlight.spring.PasskeyAutoConfiguration}
 * creates the service on the application's data source, configured by {@link
 * dev.porchlight.spring.PorchlightProperties}. Each package below activates if the application has the required
 * dependencies: {@code web} adds routes, {@code security} sessions, {@code metrics} and {@code health} monitoring.
 */
@NullMarked
package dev.porchlight.spring;

import org.jspecify.annotations.NullMarked;
