// SPDX-License-Identifier: Apache-2.0
/** The API of the operators' console: the ceremony history, and samples of the metrics every few seconds. */
package dev.porchlight.server.operator.console;
