// SPDX-License-Identifier: Apache-2.0
/** The adapter of {@code observe} for Jakarta Servlet 6: a filter, and a servlet for scrapers and probes. */
package dev.porchlight.observe.servlet;
