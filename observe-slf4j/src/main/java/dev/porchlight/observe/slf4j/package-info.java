// SPDX-License-Identifier: Apache-2.0
/** An SLF4J 2 provider that writes through the logger installed in {@code JdkLoggerFinder}. */
package dev.porchlight.observe.slf4j;
