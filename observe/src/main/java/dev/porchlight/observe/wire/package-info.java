// SPDX-License-Identifier: Apache-2.0
/**
 * The byte buffer that all signals are written with: UTF-8, decimal numbers, hex and JSON strings. Not exported. Log
 * lines, expositions, OTLP bodies and health responses use it.
 */
package dev.porchlight.observe.wire;
