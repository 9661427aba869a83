// SPDX-License-Identifier: Apache-2.0
/**
 * The web pages for users and operators, their assets, and the client helper. {@code WebPages} mounts the files, {@code
 * WebFile} serves one of them. Files are read once at start, and no request data becomes part of a page.
 */
package dev.porchlight.server.web;
