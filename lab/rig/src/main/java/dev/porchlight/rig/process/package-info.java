// SPDX-License-Identifier: Apache-2.0
/** Local processes: installed {@link dev.porchlight.rig.process.Program}s and free {@link dev.porchlight.rig.process.Ports}. */
@NullMarked
package dev.porchlight.rig.process;

import org.jspecify.annotations.NullMarked;
