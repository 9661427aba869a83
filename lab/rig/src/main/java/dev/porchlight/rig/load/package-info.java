// SPDX-License-Identifier: Apache-2.0
/**
 * People who sign up and log in with real passkeys, as cheaply as that can be done. {@link dev.porchlight.rig.load.Person} is
 * one of them, {@link dev.porchlight.rig.load.People} many; {@link dev.porchlight.rig.load.ClosedLoop} finds out how much a
 * service can do, {@link dev.porchlight.rig.load.OpenLoop} how long it takes at a rate; an
 * {@link dev.porchlight.rig.load.Outcome} tells what came of it.
 */
@NullMarked
package dev.porchlight.rig.load;

import org.jspecify.annotations.NullMarked;
