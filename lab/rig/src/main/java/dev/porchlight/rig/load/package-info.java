// SPDX-License-Identifier: Apache-2.0
/**
 * Users who sign up and log in with real passkeys, at the lowest possible cost: {@link dev.porchlight.rig.load.Users}
 * registers one, {@link dev.porchlight.rig.load.People} are many. A {@link dev.porchlight.rig.load.Loop} measures the throughput of
 * a service, or its latency at a fixed rate, and returns an {@link dev.porchlight.rig.load.Outcome}.
 */
@NullMarked
package dev.porchlight.rig.load;

import org.jspecify.annotations.NullMarked;
