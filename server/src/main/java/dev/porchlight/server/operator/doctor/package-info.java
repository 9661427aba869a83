// SPDX-License-Identifier: Apache-2.0
/**
 * Finds problems of a deployment and suggests fixes. {@link dev.porchlight.server.operator.doctor.Doctor} checks the
 * configuration, this machine and, given its URL, the service as clients see it; every result is a
 * {@link dev.porchlight.server.operator.doctor.Diagnosis}.
 */
package dev.porchlight.server.operator.doctor;
