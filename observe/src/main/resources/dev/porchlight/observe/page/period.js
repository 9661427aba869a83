// SPDX-License-Identifier: Apache-2.0
// The samples of a time range, and their numbers.

/** @param {any[]} list @param {string} key @returns {Map<string, number>} the counts by the value of the key, highest first */
export function tally(list, key) {
  const counts = new Map();
  for (const item of list) {
    counts.set(item[key], (counts.get(item[key]) ?? 0) + item.count);
  }
  return new Map([...counts].sort((a, b) => b[1] - a[1]));
}

export class Period {
  /** @param {any[]} samples @param {number} from @param {number} to */
  constructor(samples, from, to) {
    this.samples = samples.filter(({ t }) => t >= from && t <= to);
    this.from = from;
    this.to = to;
    this.times = this.samples.map(({ t }) => t);
  }

  /** Requests per sample, by status. */
  get requests() {
    return this.samples.map(({ requests: { '4xx': client = 0, '5xx': server = 0, ...others } }) =>
      ({ ok: Object.values(others).reduce((a, b) => a + b, 0), client, server }));
  }

  get routes() {
    return tally(this.samples.flatMap(({ routes }) => routes), 'route');
  }

  get healthChecks() {
    return [...new Set(this.samples.flatMap(({ health }) => Object.keys(health)))];
  }

  get last() {
    return this.samples.at(-1);
  }
}
