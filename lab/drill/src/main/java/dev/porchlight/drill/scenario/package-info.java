// SPDX-License-Identifier: Apache-2.0
/**
 * The parts of a row of the fault table: a {@link dev.porchlight.drill.scenario.Scenario} injects its fault on a
 * {@link dev.porchlight.drill.scenario.TestBed}, records {@link dev.porchlight.drill.scenario.Findings} and ends in a
 * {@link dev.porchlight.drill.scenario.ScenarioResult}.
 */
@NullMarked
package dev.porchlight.drill.scenario;

import org.jspecify.annotations.NullMarked;
