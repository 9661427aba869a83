// SPDX-License-Identifier: Apache-2.0
/** Fault injection for TCP: {@link dev.porchlight.rig.fault.FaultProxy} forwards connections, {@link dev.porchlight.rig.fault.Toxics} configure the faults. */
@NullMarked
package dev.porchlight.rig.fault;

import org.jspecify.annotations.NullMarked;
