// SPDX-License-Identifier: Apache-2.0
/**
 * What all tests share: {@link dev.porchlight.support.Patience} says how long they wait, and
 * {@link dev.porchlight.support.FailureReport} adds the logs of the services to a failure.
 */
@NullMarked
package dev.porchlight.support;

import org.jspecify.annotations.NullMarked;
