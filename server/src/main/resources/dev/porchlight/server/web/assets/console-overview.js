// SPDX-License-Identifier: Apache-2.0
// The Overview: tiles, plots and the latest ceremonies.

import { CeremonyList } from './console-ceremonies.js';
import { ceremonies } from './console-feed.js';
import { bytes, clock, codeText, duration, percent, rate, whole } from './console-format.js';
import { Plot, showBars, showStrips } from './console-plots.js';
import { byId, el } from './dom.js';
import { plural, text } from './texts.js';

const COLUMNS = 30;
const PAGE_SIZE = 8;
const FIRST_ROUTE = 'POST /auth/passkey/login/finish';

/** @typedef {import('./console-model.js').ConsoleModel['period']} Period */

/** @param {number[]} values */
const sum = (values) => values.reduce((a, b) => a + b, 0);

/** @param {string} name @param {string} look @param {(number | null)[]} values */
const series = (name, look, values) => ({ name, look, values });

/** @param {Map<string, number>} counts @param {string} look */
const bars = (counts, look) => [...counts].map(([code, value]) => ({ label: codeText(code), value, look }));

/** @param {string} name @param {string} value @param {string} label @param {string} [look] */
function showTile(name, value, label, look = '') {
  const tile = byId(`tile-${name}`);
  tile.className = `tile ${look}`;
  tile.replaceChildren(el('b', {}, value), el('span', {}, label));
}

export class Overview {
  /** @type {Record<string, Plot>} */
  #plots = {};
  #list = new CeremonyList(byId('latest'));
  #model;

  /** @param {import('./console-model.js').ConsoleModel} model */
  constructor(model) {
    this.#model = model;
    ['pointerleave', 'focusout'].forEach((type) => byId('latest').addEventListener(type, () => setTimeout(() => this.#isIdle && this.renderLatest())));
    byId('more').addEventListener('click', () => this.#showAll());
  }

  /** Shows the latest samples, and loads the ceremonies if they changed. */
  async update() {
    const model = this.#model;
    this.render();
    if (model.last && model.last.revision !== model.revision) {
      model.revision = model.last.revision;
      try {
        ({ ceremonies: model.ceremonies } = await ceremonies(''));
      } catch {
        model.revision = -1;
      }
      if (this.#isIdle) {
        this.renderLatest();
      }
    }
  }

  render() {
    if (this.#model.last) {
      const { period } = this.#model;
      this.#requests(period);
      this.#latency(period);
      this.#funnel(period);
      this.#refusals(period);
      this.#signIns(period);
      this.#resources(period);
      this.#health(period);
    }
  }

  /** @param {string} name @param {string} summary @param {any} [content] of the plot, if the figure has one */
  #show(name, summary, content) {
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
    this.#show('requests', `${plural('console.requests.count', all)}, ${plural('console.requests.errors', failed)}.`,
      { times, from, to, kind: 'areas', format: rate, unit: text('console.unit.perSecond'), minTop: 0.5, series: shown });
    showTile('rate', rate(sum(shown.flatMap(({ values }) => values.slice(-6))) / Math.min(6, samples.length)), text('console.tile.rate'));
    showTile('errors', whole(failed), plural('console.tile.errors', failed), failed > 0 ? 'bad' : 'good');
  }

  /** @param {Period} period */
  #latency({ routes, samples, times, from, to }) {
    const { choices } = this.#model;
    const select = byId('route');
    const names = [...routes.keys()].sort();
    if (names.join() !== [...select.options].map((option) => option.value).join() && document.activeElement !== select) {
      choices.route = [choices.route, FIRST_ROUTE, ...routes.keys()].find((name) => routes.has(name)) ?? '';
      select.replaceChildren(...names.map((name) => el('option', { value: name, selected: name === choices.route }, name)));
    }
    const chosen = samples.map((sample) => sample.routes.find((/** @type {any} */ { route }) => route === choices.route));
    const [p50, p95, p99] = ['p50', 'p95', 'p99'].map((quantile) => chosen.map((route) => route?.[quantile] ?? null));
    const last = chosen.findLast((route) => route);
    this.#show('latency', last ? text('console.latency.summary', { median: duration(last.p50), high: duration(last.p99) }) : text('console.latency.none'),
      { times, from, to, kind: 'lines', format: duration, series: [series('p50', 'first', p50), series('p95', 'second', p95), series('p99', 'third', p99)] });
  }

  /** @param {Period} period */
  #funnel(period) {
    const kind = this.#model.choices.ceremony;
    const { options, prompted, finished, succeeded, errors } = period.funnel(kind);
    const step = (/** @type {string} */ label, /** @type {number} */ value, look = 'night') => ({ label, value, look, note: options > 0 ? `(${percent(value / options)})` : '' });
    showBars(byId('funnel'), [
      { label: text('console.funnel.options'), value: options, look: 'night' },
      step(text('console.funnel.prompted'), prompted),
      step(text('console.funnel.finished'), finished),
      step(text(kind === 'login' ? 'console.funnel.signedIn' : 'console.funnel.registered'), succeeded, 'ok'),
    ], '');
    showBars(byId('browser'), bars(errors, 'warn'), text('console.funnel.noErrors'));
    this.#show('funnel', options === 0 ? text('console.funnel.none') : text('console.funnel.summary', { number: whole(succeeded), total: whole(options) }));
  }

  /** @param {Period} period */
  #refusals({ refusals }) {
    const total = sum([...refusals.values()]);
    showBars(byId('refusals'), bars(refusals, 'bad'), text('console.refusals.none'));
    this.#show('refusals', total === 0 ? '' : `${plural('console.refusals.count', total)}, ${plural('console.refusals.reasons', refusals.size)}.`);
  }

  /** @param {Period} period */
  #signIns(period) {
    const { from, to, signIns } = period;
    const columns = period.split(COLUMNS);
    const unit = text('console.unit.perSeconds', { number: whole((to - from) / COLUMNS / 1000) });
    const of = (/** @type {keyof typeof signIns} */ result) => columns.map((column) => column.signIns[result]);
    const [succeeded, refused, failed] = [signIns.succeeded, signIns.refused, signIns.failed].map(whole);
    this.#show('signins', text('console.signins.summary', { succeeded, refused, failed }),
      { times: columns.map((column) => column.to), from, to, kind: 'columns', format: whole, unit, minTop: 4, series: [
        series(text('console.signins.succeeded'), 'ok', of('succeeded')),
        series(text('console.signins.refused'), 'warn', of('refused')),
        series(text('console.signins.failed'), 'bad', of('failed')),
      ] });
    showTile('signins', succeeded, plural('console.tile.signins', signIns.succeeded));
    showTile('refused', refused, plural('console.tile.refused', signIns.refused), signIns.refused > 0 ? 'warn' : 'good');
  }

  /** @param {Period} period */
  #resources({ samples, times, from, to }) {
    const { heap } = this.#model.last;
    const used = samples.map((sample) => sample.heap.used);
    const [active, idle, waiting] = ['active', 'idle', 'waiting'].map((state) => samples.map(({ pool }) => pool[state]));
    const most = Math.max(...waiting);
    this.#show('pool', most === 0 ? text('console.pool.none') : plural('console.pool.summary', most),
      { times, from, to, kind: 'areas', format: whole, unit: text('console.pool.unit'), minTop: 2, series: [
        series(text('console.pool.active'), 'first', active),
        series(text('console.pool.idle'), 'rest', idle),
        series(text('console.pool.waiting'), 'bad', waiting),
      ] });
    this.#show('heap', text('console.heap.summary', { used: bytes(heap.used), peak: bytes(Math.max(...used)), limit: bytes(heap.max) }),
      { times, from, to, kind: 'areas', format: bytes, minTop: 2 ** 26, step: 2 ** 24, series: [series(text('console.heap.used'), 'first', used)] });
  }

  /** @param {Period} period */
  #health({ healthChecks, samples, from, to }) {
    const { ready, health } = this.#model.last;
    const checks = healthChecks.filter((name) => health[name] === 'down').join(', ');
    const since = clock(Math.max(from, samples[0].t - samples[0].ms));
    showStrips(byId('health'), healthChecks, samples, from, to);
    this.#show('health', ready ? text('console.health.summary', { from: since, to: clock(to) }) : checks ? text('console.health.down', { checks }) : text('console.health.notReady'));
    showTile('ready', text(ready ? 'console.tile.ready' : 'console.tile.notReady'),
      ready ? plural('console.tile.checks', healthChecks.length) : checks ? text('console.tile.down', { checks }) : text('console.tile.starting'), ready ? 'good' : 'bad');
  }

  /** Whether the list may change: not while the operator points at it or has the focus in it. */
  get #isIdle() {
    return !byId('latest').matches(':hover, :focus-within');
  }

  renderLatest() {
    const { chosen, showsAll } = this.#model;
    this.#list.show(showsAll ? chosen : chosen.slice(0, PAGE_SIZE), text('console.latest.none'));
    byId('more').hidden = showsAll || chosen.length <= PAGE_SIZE;
  }

  #showAll() {
    const last = byId('latest').lastElementChild;
    this.#model.showsAll = true;
    this.renderLatest();
    last?.nextElementSibling?.querySelector('summary')?.focus();
  }
}
