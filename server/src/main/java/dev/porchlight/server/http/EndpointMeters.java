// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.metrics.HttpMetrics;
import dev.porchlight.observe.profile.RouteRecorder;

/** Where one endpoint's requests are recorded, bound once. */
record EndpointMeters(HttpMetrics.Route metrics, RouteRecorder profile) {}
