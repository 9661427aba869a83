// SPDX-License-Identifier: Apache-2.0
// The texts of the page, in the words of the service's console, which has them in more languages.

/** @type {Record<string, string>} */
const CATALOG = {
  'console.connection.live': 'Live',
  'console.connection.offline': 'Offline',
  'console.plots.table': 'Show as table',
  'console.plots.now': 'now',
  'console.plots.time': 'Time',
  'console.requests.ok': 'ok',
  'console.requests.count.one': '{number} request',
  'console.requests.count.other': '{number} requests',
  'console.requests.errors.one': '{number} server error',
  'console.requests.errors.other': '{number} server errors',
  'console.latency.none': 'No requests to this route.',
  'console.latency.summary': 'Median {median}, 99th percentile {high}.',
  'console.health.summary': 'Ready, from {from} to {to}.',
  'console.health.down': 'Not ready: {checks} down.',
  'console.health.notReady': 'Not ready.',
  'console.health.unknown': 'unknown',
  'console.health.up': 'up',
  'console.health.wasDown': 'up, was down at {time}',
  'console.health.downSince': 'down since {time}',
  'console.heap.used': 'used',
  'console.heap.summary': '{used} used, peak {peak}, limit {limit}.',
  'console.unit.seconds': '{number} s',
  'console.unit.milliseconds': '{number} ms',
  'console.unit.mebibytes': '{number} MiB',
  'console.unit.gibibytes': '{number} GiB',
  'console.unit.perSecond': 'per second',
  'console.tile.ready': 'Ready',
  'console.tile.notReady': 'Not ready',
  'console.tile.checks.one': '{number} check up',
  'console.tile.checks.other': '{number} checks up',
  'console.tile.down': '{checks} down',
  'console.tile.starting': 'starting or stopping',
  'console.tile.rate': 'requests per second',
  'console.tile.errors.one': 'server error (5xx)',
  'console.tile.errors.other': 'server errors (5xx)',
};

/** The language tag, for Intl. */
export const { lang } = document.documentElement;

/** @param {number} value @returns {string} */
export const numberText = (value) => value.toLocaleString(lang);

/** @param {string} key @param {Record<string, string>} [values] for placeholders, such as `{time}` @returns {string} */
export const text = (key, values = {}) => CATALOG[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** @param {string} key @param {number} number @returns {string} the text for a number: `key.one` or `key.other` */
export const plural = (key, number) => text(`${key}.${number === 1 ? 'one' : 'other'}`, { number: numberText(number) });
