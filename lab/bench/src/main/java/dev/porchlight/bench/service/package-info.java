// SPDX-License-Identifier: Apache-2.0
/**
 * The whole service over HTTP, compared with peer applications. An {@link dev.porchlight.bench.service.Application} starts as a
 * process, represented by {@link dev.porchlight.bench.service.Running}; {@link dev.porchlight.bench.service.Load} logs in; each
 * {@code …Benchmark} is one comparison of the report.
 */
@NullMarked
package dev.porchlight.bench.service;

import org.jspecify.annotations.NullMarked;
