// SPDX-License-Identifier: Apache-2.0
/** Reverse proxies in front of instances: {@link dev.porchlight.rig.proxy.ReverseProxy}. */
@NullMarked
package dev.porchlight.rig.proxy;

import org.jspecify.annotations.NullMarked;
