// SPDX-License-Identifier: Apache-2.0
/** A Spring Boot application whose users sign in with their passkeys at Porchlight, through OpenID Connect. */
package com.example.login;
