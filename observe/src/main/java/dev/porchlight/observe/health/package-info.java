// SPDX-License-Identifier: Apache-2.0
/**
 * Liveness and readiness. {@link dev.porchlight.observe.health.HealthRegistry} holds named checks and runs them on demand,
 * in parallel, each under its own deadline; {@link dev.porchlight.observe.health.HealthReport} is the response to a probe and
 * writes itself as JSON; {@link dev.porchlight.observe.health.HealthListener} is notified of every run and every change.
 * A check that throws, hangs or returns nothing is down, and never disturbs another.
 */
package dev.porchlight.observe.health;
