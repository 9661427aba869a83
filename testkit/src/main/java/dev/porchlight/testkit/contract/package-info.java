// SPDX-License-Identifier: Apache-2.0
/**
 * Contract tests for stores. Implement a contract in a JUnit test class and return an adapter for your store.
 */
package dev.porchlight.testkit.contract;
