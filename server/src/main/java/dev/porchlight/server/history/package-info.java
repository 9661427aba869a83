// SPDX-License-Identifier: Apache-2.0
/**
 * Recent ceremonies, bounded: in memory, and the refused ones also in the database. A {@link dev.porchlight.server.history.CeremonyHistory} keeps the latest, found by their
 * {@link dev.porchlight.server.history.SupportCode}; {@link dev.porchlight.server.history.Cause} explains a failure and names
 * related settings; {@link dev.porchlight.server.history.RefusedResponses} keeps refused responses for a day;
 * {@link dev.porchlight.server.history.SharedRefusals} finds those of all instances.
 */
package dev.porchlight.server.history;
