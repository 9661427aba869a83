// SPDX-License-Identifier: Apache-2.0
/** An application on the JDK's HTTP server with logs, metrics, traces, health checks and a page that plots them. */
package com.example.shop;
