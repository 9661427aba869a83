// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes, base64url and JSON, read strictly: input is either well formed or a {@link dev.porchlight.base.MalformedException}.
 * The only package that uses Jackson.
 */
package dev.porchlight.base;
