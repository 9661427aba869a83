// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code observe} module in a Spring Boot 3.5 or 4 application. {@link
 * dev.porchlight.observe.spring.ObserveAutoConfiguration} opens the signals, mounts the filter and the endpoints, and {@link
 * dev.porchlight.observe.spring.ObserveLoggingSystem} writes the application's log lines.
 */
@NullMarked
package dev.porchlight.observe.spring;

import org.jspecify.annotations.NullMarked;
