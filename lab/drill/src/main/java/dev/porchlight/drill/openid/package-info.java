// SPDX-License-Identifier: Apache-2.0
/** Rows on OpenID Connect: races for codes and refresh tokens, and faults between the steps of a sign-in. */
@NullMarked
package dev.porchlight.drill.openid;

import org.jspecify.annotations.NullMarked;
