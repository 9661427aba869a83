// SPDX-License-Identifier: Apache-2.0
/** Processes of this machine: which {@link dev.porchlight.rig.process.Program}s there are, and free {@link dev.porchlight.rig.process.Ports}. */
@NullMarked
package dev.porchlight.rig.process;

import org.jspecify.annotations.NullMarked;
