// SPDX-License-Identifier: Apache-2.0
/**
 * Explains support codes to operators, with the words of the service's console: {@link
 * dev.porchlight.spring.explain.RecentRefusals} keeps failed requests, and {@link
 * dev.porchlight.spring.explain.PasskeysEndpoint} finds them for Actuator. Off by default.
 */
@NullMarked
package dev.porchlight.spring.explain;

import org.jspecify.annotations.NullMarked;
