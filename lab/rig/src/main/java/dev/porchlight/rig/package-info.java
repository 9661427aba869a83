// SPDX-License-Identifier: Apache-2.0
/**
 * The test rig shared by drills, benchmarks and end-to-end tests. {@link dev.porchlight.rig.Launch} and
 * {@link dev.porchlight.rig.Instance} run the service as a process; {@link dev.porchlight.rig.ReverseProxy} is in front
 * of it; {@code http} is a minimal client, {@code load} generates logins, and {@code fault} injects network faults.
 */
@NullMarked
package dev.porchlight.rig;

import org.jspecify.annotations.NullMarked;
