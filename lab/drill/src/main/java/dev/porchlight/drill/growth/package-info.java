// SPDX-License-Identifier: Apache-2.0
/**
 * Rows on scale and duration. {@link dev.porchlight.drill.growth.ManyUsers} compares logins among a thousand users
 * with logins among a million, in this process; {@link dev.porchlight.drill.growth.Soak} watches rows and memory of a
 * service under load.
 */
@NullMarked
package dev.porchlight.drill.growth;

import org.jspecify.annotations.NullMarked;
