// SPDX-License-Identifier: Apache-2.0
/**
 * The service. {@link dev.porchlight.server.Main} is the entry point, {@link dev.porchlight.server.App} the running service, and
 * {@code Wiring} says what each part gets, to be read from top to bottom. No sub-package depends on these.
 */
package dev.porchlight.server;
