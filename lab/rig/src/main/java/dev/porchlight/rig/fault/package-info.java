// SPDX-License-Identifier: Apache-2.0
/** Connections that go wrong: {@link dev.porchlight.rig.fault.FaultProxy} carries them, {@link dev.porchlight.rig.fault.Toxics} say how. */
@NullMarked
package dev.porchlight.rig.fault;

import org.jspecify.annotations.NullMarked;
