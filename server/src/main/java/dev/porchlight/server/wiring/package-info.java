// SPDX-License-Identifier: Apache-2.0
/**
 * Wiring shared by the service and the commands: {@link dev.porchlight.server.wiring.Parts} closes parts in reverse order, and
 * {@link dev.porchlight.server.wiring.StorageModule} opens secrets, database, keys and Redis.
 */
package dev.porchlight.server.wiring;
