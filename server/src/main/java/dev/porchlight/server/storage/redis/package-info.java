// SPDX-License-Identifier: Apache-2.0
/**
 * What all instances share in Redis or Valkey, and the only place that knows Jedis. {@link
 * dev.porchlight.server.storage.redis.Redis} is the connection, which knows whether anybody answers; {@link
 * dev.porchlight.server.storage.redis.RedisSealedEntries} keeps what is sealed, {@link
 * dev.porchlight.server.storage.redis.RedisRateLimit} counts requests. No command touches more than one key, so that all of
 * them work in a cluster.
 */
package dev.porchlight.server.storage.redis;
