// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.attack;

/** A group of attempts of one kind. */
interface Attack {
    /** What the group is called in the report and by {@code --only}. */
    String name();

    /** Tries them all. */
    void run(Scene scene, Score score);
}
