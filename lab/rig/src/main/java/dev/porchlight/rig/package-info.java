// SPDX-License-Identifier: Apache-2.0
/**
 * What drills, benchmarks and end-to-end tests stand on. {@link dev.porchlight.rig.Launch} and
 * {@link dev.porchlight.rig.Instance} are the service as a process; {@code http} speaks to it, {@code load} logs in, at a rate
 * or as fast as it goes; {@code fault} spoils connections; {@code database} and {@code proxy} start what stands around it.
 */
@NullMarked
package dev.porchlight.rig;

import org.jspecify.annotations.NullMarked;
