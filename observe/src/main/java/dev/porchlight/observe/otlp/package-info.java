// SPDX-License-Identifier: Apache-2.0
/**
 * The export of all signals as OTLP over HTTP: an {@link ItemSource}, one {@link ExportWorker} per signal, {@link
 * Delivery} with retries, and {@link OtlpEncoder} with the two formats. Not exported.
 */
package dev.porchlight.observe.otlp;
