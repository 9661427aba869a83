// SPDX-License-Identifier: Apache-2.0
/**
 * Users and applications of a running service: {@link dev.porchlight.testkit.remote.Person} plays a user with a browser, and
 * {@link dev.porchlight.testkit.remote.OpenIdClient} an application that signs users in with OpenID Connect.
 */
@NullMarked
package dev.porchlight.testkit.remote;

import org.jspecify.annotations.NullMarked;
