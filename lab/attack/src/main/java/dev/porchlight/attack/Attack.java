// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

/** A group of attempts of one kind. */
@FunctionalInterface
interface Attack {
    /** Runs all attempts. */
    void run(Scene scene, Score score);
}
