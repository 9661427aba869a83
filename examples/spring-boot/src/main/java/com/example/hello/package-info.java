// SPDX-License-Identifier: Apache-2.0
/** A Spring Boot application whose users sign in with a password once, add a passkey, and need no password any more. */
package com.example.hello;
