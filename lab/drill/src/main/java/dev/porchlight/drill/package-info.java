// SPDX-License-Identifier: Apache-2.0
/**
 * The fault table, executed against freshly started instances. {@link dev.porchlight.drill.Scenarios} lists it,
 * {@link dev.porchlight.drill.Main} runs all or some rows, {@link dev.porchlight.drill.Report} records the results.
 */
@NullMarked
package dev.porchlight.drill;

import org.jspecify.annotations.NullMarked;
