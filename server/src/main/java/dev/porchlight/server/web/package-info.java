// SPDX-License-Identifier: Apache-2.0
/**
 * The web pages for users and operators, their assets, and the client helper. {@code WebPages} mounts the files, {@code
 * WebFile} serves one of them. {@code PageTemplate} fills in a page once per {@code Language}. No request data
 * becomes part of a page.
 */
package dev.porchlight.server.web;
