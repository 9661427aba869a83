// SPDX-License-Identifier: Apache-2.0
/** A client that costs little: {@link dev.porchlight.rig.http.Connection} sends, {@link dev.porchlight.rig.http.Response} came back. */
@NullMarked
package dev.porchlight.rig.http;

import org.jspecify.annotations.NullMarked;
