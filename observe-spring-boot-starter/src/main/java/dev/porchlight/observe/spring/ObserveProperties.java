// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of the starter. Levels of loggers are those of {@code logging.level}; everything else is read from the
 * environment variables of {@link dev.porchlight.observe.ObservabilitySettings}. Immutable.
 *
 * @param path Prefix of the endpoints, such as /internal for /internal/metrics.
 * @param port Separate port for the endpoints, so that the public cannot reach them. By default they are on the application's
 *     port, without the details of health checks.
 * @param address Address of that port. By default only this machine can reach it.
 * @param page Whether to serve the page with plots of the last hour, at /observe/.
 */
@ConfigurationProperties("porchlight.observe")
public record ObserveProperties(
        @DefaultValue("") String path,
        @Nullable Integer port,
        @DefaultValue("127.0.0.1") String address,
        @DefaultValue("false") boolean page) {}
