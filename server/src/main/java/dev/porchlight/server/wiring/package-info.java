// SPDX-License-Identifier: Apache-2.0
/**
 * What the service and the commands of the command line are wired from: {@link dev.porchlight.server.wiring.Parts}, which closes
 * parts in reverse order, and {@link dev.porchlight.server.wiring.StorageModule}, which opens secrets, database, keys and Redis.
 */
package dev.porchlight.server.wiring;
