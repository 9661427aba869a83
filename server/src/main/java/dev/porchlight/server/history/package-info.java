// SPDX-License-Identifier: Apache-2.0
/**
 * Recent ceremonies, in memory and bounded. A {@link dev.porchlight.server.history.CeremonyHistory} keeps the latest, found by their
 * {@link dev.porchlight.server.history.SupportCode}; {@link dev.porchlight.server.history.Cause} explains a failure and names
 * related settings; {@link dev.porchlight.server.history.RefusedResponses} keeps refused responses for a day.
 */
package dev.porchlight.server.history;
