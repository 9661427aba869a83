// SPDX-License-Identifier: Apache-2.0
/** Rows on the metadata of authenticators. */
@NullMarked
package dev.porchlight.drill.metadata;

import org.jspecify.annotations.NullMarked;
