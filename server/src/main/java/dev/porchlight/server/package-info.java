// SPDX-License-Identifier: Apache-2.0
/**
 * The service. {@link dev.porchlight.server.Main} is the entry point, {@link dev.porchlight.server.App} the running service, and
 * {@code Wiring} creates and connects all parts. No sub-package depends on these classes.
 */
package dev.porchlight.server;
