// SPDX-License-Identifier: Apache-2.0
/** Rows about what the service keeps: crashes, disks, PostgreSQL that is gone, hangs or fails over, and what may happen only once. */
@NullMarked
package dev.porchlight.drill.storage;

import org.jspecify.annotations.NullMarked;
