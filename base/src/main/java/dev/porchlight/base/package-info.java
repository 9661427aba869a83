// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes, HMAC, base64url and JSON, parsed strictly: malformed input is a {@link dev.porchlight.base.MalformedException}. The
 * only package that uses Jackson.
 */
package dev.porchlight.base;
