// SPDX-License-Identifier: Apache-2.0
/** A lightweight HTTP client: {@link dev.porchlight.rig.http.Connection} sends requests and returns the response. */
@NullMarked
package dev.porchlight.rig.http;

import org.jspecify.annotations.NullMarked;
