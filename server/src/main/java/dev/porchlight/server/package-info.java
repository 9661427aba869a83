// SPDX-License-Identifier: Apache-2.0
/**
 * The service. {@link dev.porchlight.server.Main} is the command line; {@link dev.porchlight.server.App} is the wiring,
 * to be read from top to bottom. Everything else is in the packages below, none of which knows these two.
 */
package dev.porchlight.server;
