// SPDX-License-Identifier: Apache-2.0
/**
 * What the operators' console shows. A {@link dev.porchlight.server.console.CeremonyHistory} keeps the latest ceremonies,
 * found by their {@link dev.porchlight.server.console.SupportCode}; {@link dev.porchlight.server.console.Cause} says in
 * words why one failed and which setting to look at; a {@link dev.porchlight.server.console.Sampler} reads the registries
 * every few seconds. All of it is in memory and bounded.
 */
package dev.porchlight.server.console;
