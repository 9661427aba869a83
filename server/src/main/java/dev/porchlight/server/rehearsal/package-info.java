// SPDX-License-Identifier: Apache-2.0
/** The requests of {@code dev.porchlight.server.Rehearsal}, without test code in the class path of the service. */
package dev.porchlight.server.rehearsal;
