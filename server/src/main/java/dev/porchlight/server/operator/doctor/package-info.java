// SPDX-License-Identifier: Apache-2.0
/**
 * Finds out what keeps the service from working, and says what mends it. {@link dev.porchlight.server.operator.doctor.Doctor} asks
 * for the configuration, then this machine, then, given its address, the service as people reach it; every answer is a
 * {@link dev.porchlight.server.operator.doctor.Finding}.
 */
package dev.porchlight.server.operator.doctor;
