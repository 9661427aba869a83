// SPDX-License-Identifier: Apache-2.0
/**
 * The test rig shared by drills, benchmarks and end-to-end tests. {@link dev.porchlight.rig.Launch} and
 * {@link dev.porchlight.rig.Instance} run the service as a process; {@code http} is a minimal client, {@code load} generates
 * logins, {@code fault} injects network faults, and {@code database} and {@code proxy} start PostgreSQL and reverse proxies.
 */
@NullMarked
package dev.porchlight.rig;

import org.jspecify.annotations.NullMarked;
