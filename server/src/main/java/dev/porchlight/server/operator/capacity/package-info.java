// SPDX-License-Identifier: Apache-2.0
/** How large a deployment must be: what a login, a registration and a user cost, and what follows for a number of users. */
@NullMarked
package dev.porchlight.server.operator.capacity;

import org.jspecify.annotations.NullMarked;
