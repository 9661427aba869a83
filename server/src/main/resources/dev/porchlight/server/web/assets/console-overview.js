// SPDX-License-Identifier: Apache-2.0
// The Overview: tiles, plots and the latest ceremonies.

import { CeremonyList } from './console-ceremonies.js';
import { ceremonies } from './console-feed.js';
import { codeText } from './console-format.js';
import { byId, el } from './dom.js';
import { percent, whole } from './plot-format.js';
import { Signals, series, showTile, sum } from './signals.js';
import { plural, text } from './texts.js';

const COLUMNS = 30;
const PAGE_SIZE = 8;
const FIRST_ROUTE = 'POST /auth/passkey/login/finish';

/** @typedef {import('./console-model.js').ConsoleModel['period']} Period */

/** @param {Map<string, number>} counts @param {string} look */
const bars = (counts, look) => [...counts].map(([code, value]) => ({ label: codeText(code), value, look }));

/**
 * Shows a list of labeled bars.
 * @param {Element} list @param {{ label: string, value: number, look?: string, note?: string }[]} entries @param {string} emptyText
 */
function showBars(list, entries, emptyText) {
  const highest = Math.max(1, ...entries.map(({ value }) => value));
  list.replaceChildren(...(entries.length === 0 ? [el('li', { class: 'none' }, emptyText)] : entries.map(({ label, value, look = '', note }) => {
    const bar = el('span', { class: `bar-fill ${look}`, 'aria-hidden': 'true' });
    bar.style.inlineSize = `${(100 * value) / highest}%`;
    return el('li', {}, el('span', { class: 'bar-label' }, label), el('span', { class: 'bar-value' }, whole(value), note ? ` ${note}` : ''), bar);
  })));
}

export class Overview {
  #list = new CeremonyList(byId('latest'), (traceId) => ceremonies(traceId).then((found) => found.ceremonies[0]));
  #signals;
  #model;

  /** @param {import('./console-model.js').ConsoleModel} model */
  constructor(model) {
    this.#model = model;
    this.#signals = new Signals(model.choices, FIRST_ROUTE);
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
      this.#signals.render(period);
      this.#funnel(period);
      this.#refusals(period);
      this.#signIns(period);
      this.#pool(period);
    }
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
    this.#signals.show('funnel', options === 0 ? text('console.funnel.none') : text('console.funnel.summary', { number: whole(succeeded), total: whole(options) }));
  }

  /** @param {Period} period */
  #refusals({ refusals }) {
    const total = sum([...refusals.values()]);
    showBars(byId('refusals'), bars(refusals, 'bad'), text('console.refusals.none'));
    this.#signals.show('refusals', total === 0 ? '' : `${plural('console.refusals.count', total)}, ${plural('console.refusals.reasons', refusals.size)}.`);
  }

  /** @param {Period} period */
  #signIns(period) {
    const { from, to, signIns } = period;
    const columns = period.split(COLUMNS);
    const unit = text('console.unit.perSeconds', { number: whole((to - from) / COLUMNS / 1000) });
    const of = (/** @type {keyof typeof signIns} */ result) => columns.map((column) => column.signIns[result]);
    const [succeeded, refused, failed] = [signIns.succeeded, signIns.refused, signIns.failed].map(whole);
    this.#signals.show('signins', text('console.signins.summary', { succeeded, refused, failed }),
      { times: columns.map((column) => column.to), from, to, kind: 'columns', format: whole, unit, minTop: 4, series: [
        series(text('console.signins.succeeded'), 'ok', of('succeeded')),
        series(text('console.signins.refused'), 'warn', of('refused')),
        series(text('console.signins.failed'), 'bad', of('failed')),
      ] });
    showTile('signins', succeeded, plural('console.tile.signins', signIns.succeeded));
    showTile('refused', refused, plural('console.tile.refused', signIns.refused), signIns.refused > 0 ? 'warn' : 'good');
  }

  /** @param {Period} period */
  #pool({ samples, times, from, to }) {
    const [active, idle, waiting] = ['active', 'idle', 'waiting'].map((state) => samples.map(({ pool }) => pool[state]));
    const most = Math.max(...waiting);
    this.#signals.show('pool', most === 0 ? text('console.pool.none') : plural('console.pool.summary', most),
      { times, from, to, kind: 'areas', format: whole, unit: text('console.pool.unit'), minTop: 2, series: [
        series(text('console.pool.active'), 'first', active),
        series(text('console.pool.idle'), 'rest', idle),
        series(text('console.pool.waiting'), 'bad', waiting),
      ] });
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
