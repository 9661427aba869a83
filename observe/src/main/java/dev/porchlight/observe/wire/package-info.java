// SPDX-License-Identifier: Apache-2.0
/**
 * The bytes every signal is written with: one growable buffer that knows UTF-8, decimal numbers, hex and JSON strings.
 * Not exported; log lines, expositions, OTLP bodies and health answers are all made with it.
 */
package dev.porchlight.observe.wire;
