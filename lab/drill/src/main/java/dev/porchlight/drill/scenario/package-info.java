// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of a row of the fault table: a {@link dev.porchlight.drill.scenario.Scenario} injects its fault on a
 * {@link dev.porchlight.drill.scenario.TestBed}, which records what it measured. Rows share
 * {@link dev.porchlight.drill.scenario.Services} in the tests.
 */
@NullMarked
package dev.porchlight.drill.scenario;

import org.jspecify.annotations.NullMarked;
