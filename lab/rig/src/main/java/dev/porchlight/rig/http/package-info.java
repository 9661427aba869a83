// SPDX-License-Identifier: Apache-2.0
/** A lightweight HTTP client: {@link dev.porchlight.rig.http.Connection} sends requests and returns a {@link dev.porchlight.rig.http.Response}. */
@NullMarked
package dev.porchlight.rig.http;

import org.jspecify.annotations.NullMarked;
