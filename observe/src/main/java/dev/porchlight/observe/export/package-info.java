// SPDX-License-Identifier: Apache-2.0
/**
 * What is known about the export of spans, metrics and log records to a collector: {@link ExportStats} counts items by
 * result, {@link ExportEvent} reports trouble.
 */
package dev.porchlight.observe.export;
