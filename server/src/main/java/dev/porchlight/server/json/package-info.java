// SPDX-License-Identifier: Apache-2.0
/**
 * JSON as the service writes it. The one place in this module that knows Jackson, whose streaming writer it wraps;
 * everything else hands bytes around.
 */
package dev.porchlight.server.json;
