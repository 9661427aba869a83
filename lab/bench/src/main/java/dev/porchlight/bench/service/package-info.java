// SPDX-License-Identifier: Apache-2.0
/**
 * The whole service over HTTP beside peer applications. An {@link dev.porchlight.bench.service.Application} is started as a
 * process and is then {@link dev.porchlight.bench.service.Running}; {@link dev.porchlight.bench.service.Load} logs in; each
 * {@code …Benchmark} is one comparison of the report.
 */
@NullMarked
package dev.porchlight.bench.service;

import org.jspecify.annotations.NullMarked;
