// SPDX-License-Identifier: Apache-2.0
/**
 * Recent and failed ceremonies, bounded. {@link dev.porchlight.server.history.CeremonyHistory} records and finds them, for
 * example by their {@link dev.porchlight.base.SupportCode};
 * {@link dev.porchlight.server.history.Cause} explains a failure and names related settings.
 */
package dev.porchlight.server.history;
