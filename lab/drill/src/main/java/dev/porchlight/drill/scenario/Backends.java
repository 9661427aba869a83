// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.drill.scenario;

import dev.porchlight.rig.Instance;
import dev.porchlight.rig.Launch;
import dev.porchlight.rig.database.Cluster;
import dev.porchlight.testkit.redis.RedisServer;

/**
 * A service on PostgreSQL and Redis that rows break and repair, one row after another.
 *
 * @param launch the launch of the service, for its commands
 */
public record Backends(Cluster postgres, RedisServer redis, Launch launch, Instance service) {}
