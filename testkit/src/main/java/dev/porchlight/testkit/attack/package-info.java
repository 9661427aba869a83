// SPDX-License-Identifier: Apache-2.0
/**
 * The hostile browser, as a command: {@link dev.porchlight.testkit.attack.Main} signs throw-away users up at a service that one
 * owns and tries everything that should be refused. Each {@code Attack} is a group of attempts; the {@code Score} keeps what
 * became of them; {@code Target} is the service, asked at a bounded rate. It stands on the kit's front door. Not exported.
 */
package dev.porchlight.testkit.attack;
