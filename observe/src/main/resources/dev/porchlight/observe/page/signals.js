// SPDX-License-Identifier: Apache-2.0
// The tiles and plots that every application has: requests, latency, heap and health.

import { byId, el } from './dom.js';
import { bytes, clock, duration, rate, whole } from './plot-format.js';
import { Plot, showStrips } from './plots.js';
import { plural, text } from './texts.js';

/** @typedef {import('./period.js').Period} Period */

/** @param {number[]} values */
export const sum = (values) => values.reduce((a, b) => a + b, 0);

/** @param {string} name @param {string} look @param {(number | null)[]} values */
export const series = (name, look, values) => ({ name, look, values });

/** @param {string} name @param {string} value @param {string} label @param {string} [look] */
export function showTile(name, value, label, look = '') {
  const tile = byId(`tile-${name}`);
  tile.className = `tile ${look}`;
  tile.replaceChildren(el('b', {}, value), el('span', {}, label));
}

export class Signals {
  /** @type {Record<string, Plot>} */
  #plots = {};
  #choices;
  #firstRoute;

  /** @param {Record<string, string>} choices the route is chosen here @param {string} firstRoute shown first if it has requests */
  constructor(choices, firstRoute) {
    this.#choices = choices;
    this.#firstRoute = firstRoute;
  }

  /** @param {Period} period with at least one sample */
  render(period) {
    this.#requests(period);
    this.#latency(period);
    this.#heap(period);
    this.#health(period);
  }

  /** @param {string} name @param {string} summary @param {any} [content] of the plot, if the figure has one */
  show(name, summary, content) {
    const figure = /** @type {any} */ (document.querySelector(`[data-plot="${name}"]`));
    figure.querySelector('.summary').textContent = summary;
    if (content) {
      (this.#plots[name] ??= new Plot(figure)).show(content);
    }
  }

  /** @param {Period} period */
  #requests({ requests, samples, times, from, to }) {
    const all = sum(requests.flatMap((counts) => Object.values(counts)));
    const failed = sum(requests.map(({ server }) => server));
    const perSecond = (/** @type {'ok' | 'client' | 'server'} */ status) => requests.map((counts, i) => (1000 * counts[status]) / samples[i].ms);
    const shown = [series(text('console.requests.ok'), 'ok', perSecond('ok')), series('4xx', 'warn', perSecond('client')), series('5xx', 'bad', perSecond('server'))];
    this.show('requests', `${plural('console.requests.count', all)}, ${plural('console.requests.errors', failed)}.`,
      { times, from, to, kind: 'areas', format: rate, unit: text('console.unit.perSecond'), minTop: 0.5, series: shown });
    showTile('rate', rate(sum(shown.flatMap(({ values }) => values.slice(-6))) / Math.min(6, samples.length)), text('console.tile.rate'));
    showTile('errors', whole(failed), plural('console.tile.errors', failed), failed > 0 ? 'bad' : 'good');
  }

  /** @param {Period} period */
  #latency({ routes, samples, times, from, to }) {
    const choices = this.#choices;
    const select = byId('route');
    const names = [...routes.keys()].sort();
    if (names.join() !== [...select.options].map((option) => option.value).join() && document.activeElement !== select) {
      choices.route = [choices.route, this.#firstRoute, ...routes.keys()].find((name) => routes.has(name)) ?? '';
      select.replaceChildren(...names.map((name) => el('option', { value: name, selected: name === choices.route }, name)));
    }
    const chosen = samples.map((sample) => sample.routes.find((/** @type {any} */ { route }) => route === choices.route));
    const [p50, p95, p99] = ['p50', 'p95', 'p99'].map((quantile) => chosen.map((route) => route?.[quantile] ?? null));
    const last = chosen.findLast((route) => route);
    this.show('latency', last ? text('console.latency.summary', { median: duration(last.p50), high: duration(last.p99) }) : text('console.latency.none'),
      { times, from, to, kind: 'lines', format: duration, series: [series('p50', 'first', p50), series('p95', 'second', p95), series('p99', 'third', p99)] });
  }

  /** @param {Period} period */
  #heap({ samples, times, from, to, last: { heap } }) {
    const used = samples.map((sample) => sample.heap.used);
    this.show('heap', text('console.heap.summary', { used: bytes(heap.used), peak: bytes(Math.max(...used)), limit: bytes(heap.max) }),
      { times, from, to, kind: 'areas', format: bytes, minTop: 2 ** 26, step: 2 ** 24, series: [series(text('console.heap.used'), 'first', used)] });
  }

  /** @param {Period} period */
  #health({ healthChecks, samples, from, to, last: { ready, health } }) {
    const checks = healthChecks.filter((name) => health[name] === 'down').join(', ');
    const since = clock(Math.max(from, samples[0].t - samples[0].ms));
    showStrips(byId('health'), healthChecks, samples, from, to);
    this.show('health', ready ? text('console.health.summary', { from: since, to: clock(to) }) : checks ? text('console.health.down', { checks }) : text('console.health.notReady'));
    showTile('ready', text(ready ? 'console.tile.ready' : 'console.tile.notReady'),
      ready ? plural('console.tile.checks', healthChecks.length) : checks ? text('console.tile.down', { checks }) : text('console.tile.starting'), ready ? 'good' : 'bad');
  }
}
