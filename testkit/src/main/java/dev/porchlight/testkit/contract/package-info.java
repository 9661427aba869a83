// SPDX-License-Identifier: Apache-2.0
/**
 * What every store must promise, as JUnit tests to inherit: implement the contract in a test class of your own, hand it
 * your store, and its tests run there. The adapters name no class of any relying party.
 */
package dev.porchlight.testkit.contract;
