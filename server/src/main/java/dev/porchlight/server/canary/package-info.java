// SPDX-License-Identifier: Apache-2.0
/**
 * The service trying itself: {@code Canary} makes a {@code Round} every so often, in which the testkit's browser registers, signs
 * in and tells lies, over HTTP ({@code OwnDoor}), as a user of its own ({@code CanaryAccount}). What came of it is in
 * {@code CanaryMetrics}, the log and the readiness check.
 */
package dev.porchlight.server.canary;
