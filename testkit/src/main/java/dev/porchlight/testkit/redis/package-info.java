// SPDX-License-Identifier: Apache-2.0
/**
 * A real Redis or Valkey for tests. {@link dev.porchlight.testkit.redis.RedisServer} starts the server that is installed on
 * this machine, on a free port and with nothing kept on disk, and can kill, hang and empty it. Where none is installed it
 * says so, and the caller decides what that means.
 */
package dev.porchlight.testkit.redis;
