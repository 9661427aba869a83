// SPDX-License-Identifier: Apache-2.0
/**
 * A real Redis or Valkey for tests. {@link dev.porchlight.testkit.redis.RedisServer} starts the server that is installed on
 * this machine, on a free port without persistence, and can kill, pause and empty it. If none is installed it throws an
 * exception.
 */
package dev.porchlight.testkit.redis;
