// SPDX-License-Identifier: Apache-2.0
/**
 * Rate limits shared in Redis or Valkey, and the only package that uses Jedis. {@link dev.porchlight.server.storage.redis.Redis}
 * is the connection and tracks availability; {@link dev.porchlight.server.storage.redis.RedisRateLimit} counts requests. No
 * script accesses more than one key, so all of them work in a cluster.
 */
package dev.porchlight.server.storage.redis;
