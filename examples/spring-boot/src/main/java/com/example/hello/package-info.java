// SPDX-License-Identifier: Apache-2.0
/**
 * A Spring Boot application whose users sign in with a password once, add a passkey, and no longer need the password.
 */
package com.example.hello;
