// SPDX-License-Identifier: Apache-2.0
/** The page that plots the last hour of an application: its samples and its files. */
package dev.porchlight.observe.page;
