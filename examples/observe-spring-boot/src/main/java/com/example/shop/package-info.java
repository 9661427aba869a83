// SPDX-License-Identifier: Apache-2.0
/** A Spring Boot application with logs, metrics, traces, health checks and a page that plots them. */
package com.example.shop;
