// SPDX-License-Identifier: Apache-2.0
/**
 * The fault table, made for real against freshly started instances. {@link dev.porchlight.drill.Rows} lists it,
 * {@link dev.porchlight.drill.Main} runs all of it or some, {@link dev.porchlight.drill.Report} keeps what was measured.
 */
@NullMarked
package dev.porchlight.drill;

import org.jspecify.annotations.NullMarked;
