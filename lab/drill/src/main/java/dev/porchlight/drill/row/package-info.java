// SPDX-License-Identifier: Apache-2.0
/**
 * What a row of the fault table is made of: a {@link dev.porchlight.drill.row.Row} says what it is
 * {@link dev.porchlight.drill.row.About}, makes its fault on the {@link dev.porchlight.drill.row.Ground} it is given, writes
 * down {@link dev.porchlight.drill.row.Findings} and ends in a {@link dev.porchlight.drill.row.Verdict}.
 */
@NullMarked
package dev.porchlight.drill.row;

import org.jspecify.annotations.NullMarked;
