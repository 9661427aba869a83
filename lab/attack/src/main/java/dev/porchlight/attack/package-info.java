// SPDX-License-Identifier: Apache-2.0
/**
 * The command {@code ./porchlight attack URL}: {@link dev.porchlight.attack.Main} signs up throw-away users at a service that
 * the caller owns and tries everything that should be refused. Each {@code Attack} is a group of attempts, a {@code Score}
 * counts their results, and {@code Target} is the service, requested at a bounded rate.
 */
@NullMarked
package dev.porchlight.attack;

import org.jspecify.annotations.NullMarked;
