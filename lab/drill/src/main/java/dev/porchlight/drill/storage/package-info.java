// SPDX-License-Identifier: Apache-2.0
/** Rows on storage: crashes, disks, outages of PostgreSQL and Redis, failover, and single use of challenges. */
@NullMarked
package dev.porchlight.drill.storage;

import org.jspecify.annotations.NullMarked;
