// SPDX-License-Identifier: Apache-2.0
/**
 * Wiring shared by the service and the commands: {@link dev.porchlight.server.wiring.Parts} closes parts in reverse order,
 * {@link dev.porchlight.server.wiring.StorageModule} opens secrets, database, keys and Redis, and
 * {@link dev.porchlight.server.wiring.DirectoryModule} has what changes users and operators.
 */
package dev.porchlight.server.wiring;
