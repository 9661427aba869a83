// SPDX-License-Identifier: Apache-2.0
/**
 * What browsers show: the pages for users and operators, the files those are made of, and the helper that applications embed.
 * {@code WebPages} says which file is where, {@code WebFile} is one of them with its headers. Files are read once, at start;
 * nothing that a request says becomes part of a page.
 */
package dev.porchlight.server.web;
