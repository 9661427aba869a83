// SPDX-License-Identifier: Apache-2.0
// Entry point of the operators' console.

import { byId, el } from './dom.js';
import { ApiError, hasToken, storeToken, textOf } from './console-api.js';
import { CeremonyList } from './console-ceremonies.js';
import { ceremonies, follow } from './console-feed.js';
import './console-clients.js';
import './console-explain.js';
import { bytes, clock, codeText, duration, percent, rate, whole } from './console-format.js';
import './console-groups.js';
import { Plot, showBars, showStrips } from './console-plots.js';
import './console-search.js';
import './console-users.js';
import { openViews } from './console-views.js';
import { numberText, plural, text } from './texts.js';

const MAX_SAMPLES = 750;
const COLUMNS = 30;
const PAGE_SIZE = 8;
/** Browser results after which the prompt was certainly visible. */
const PROMPTED = ['dismissed', 'timeout', 'authenticator', 'duplicate'];

/** @type {any[]} */
let samples = [];
/** @type {any[]} */
let latest = [];
let revision = -1;
let showAll = false;

/** @type {Record<string, any>} */
const figures = Object.fromEntries([...document.querySelectorAll('[data-plot]')].map((figure) => [figure.getAttribute('data-plot'), figure]));
const plots = Object.fromEntries(['requests', 'latency', 'signins', 'pool', 'heap'].map((name) => [name, new Plot(figures[name])]));
const recent = new CeremonyList(byId('latest'));

const setSummary = (/** @type {string} */ plot, /** @type {string} */ summary) => {
  figures[plot].querySelector('.summary').textContent = summary;
};

const minutes = () => Number(/** @type {any} */ (document.querySelector('[name="window"]:checked')).value);
const sum = (/** @type {any[]} */ list, /** @type {(item: any) => boolean} */ test) =>
  list.filter(test).reduce((total, item) => total + item.count, 0);

/** @param {any} sample @param {(name: string) => boolean} test */
const requests = (sample, test) =>
  (1000 * Object.entries(sample.requests).reduce((total, [name, count]) => total + (test(name) ? Number(count) : 0), 0)) / sample.ms;

function render() {
  const last = samples[samples.length - 1];
  if (!last) {
    return;
  }
  const to = last.t;
  const from = to - minutes() * 60000;
  const visible = samples.filter((sample) => sample.t >= from);
  const times = visible.map((sample) => sample.t);
  const base = { times, from, to };
  const operations = visible.flatMap((sample) => sample.operations);
  renderRequests(visible, base);
  renderLatency(visible, base);
  renderFunnel(operations, visible.flatMap((sample) => sample.browser));
  renderRefusals(operations);
  renderSignIns(visible, operations, from, to);
  renderResources(visible, last, base);
  renderHealth(visible, last, from, to);
}

/** @param {any[]} visible @param {any} base */
function renderRequests(visible, base) {
  const successes = visible.map((sample) => requests(sample, (name) => !/^[45]/.test(name)));
  const clientErrors = visible.map((sample) => requests(sample, (name) => name.startsWith('4')));
  const serverErrors = visible.map((sample) => requests(sample, (name) => name.startsWith('5')));
  plots.requests.show({ ...base, kind: 'areas', format: rate, unit: text('console.unit.perSecond'), minTop: 0.5, series: [
    { name: text('console.requests.ok'), look: 'ok', values: successes },
    { name: '4xx', look: 'warn', values: clientErrors },
    { name: '5xx', look: 'bad', values: serverErrors },
  ] });
  const count = visible.reduce((total, sample) => total + Object.values(sample.requests).reduce((a, b) => a + Number(b), 0), 0);
  const failed = visible.reduce((total, sample) => total + (sample.requests['5xx'] ?? 0), 0);
  setSummary('requests', `${plural('console.requests.count', count)}, ${plural('console.requests.errors', failed)}.`);
  const now = visible.slice(-6);
  tile('rate', rate(now.reduce((total, sample) => total + requests(sample, () => true), 0) / Math.max(1, now.length)), text('console.tile.rate'));
  tile('errors', whole(failed), plural('console.tile.errors', failed), failed > 0 ? 'bad' : 'good');
}

/** @param {any[]} visible @param {any} base */
function renderLatency(visible, base) {
  const busy = new Map();
  for (const { route, count } of visible.flatMap((sample) => sample.routes)) {
    busy.set(route, (busy.get(route) ?? 0) + count);
  }
  const select = byId('route');
  const names = [...busy.keys()].sort();
  if (names.join() !== [...select.options].map((option) => option.value).join() && document.activeElement !== select) {
    const chosen = [select.value, 'POST /auth/passkey/login/finish', ...[...busy].sort((a, b) => b[1] - a[1]).map(([name]) => name)].find((name) => busy.has(name));
    select.replaceChildren(...names.map((name) => el('option', { value: name, selected: name === chosen }, name)));
  }
  const of = (/** @type {string} */ quantile) => visible.map((sample) => sample.routes.find((/** @type {any} */ route) => route.route === select.value)?.[quantile] ?? null);
  const [p50, p95, p99] = ['p50', 'p95', 'p99'].map(of);
  plots.latency.show({ ...base, kind: 'lines', format: duration, series: [
    { name: 'p50', look: 'first', values: p50 },
    { name: 'p95', look: 'second', values: p95 },
    { name: 'p99', look: 'third', values: p99 },
  ] });
  const at = p95.findLastIndex((/** @type {any} */ value) => value !== null);
  setSummary('latency', at < 0 ? text('console.latency.none') : text('console.latency.summary', { median: duration(p50[at]), high: duration(p99[at]) }));
}

/** @param {any[]} operations @param {any[]} browser */
function renderFunnel(operations, browser) {
  const kind = /** @type {any} */ (document.querySelector('[name="ceremony"]:checked')).value;
  const options = sum(operations, (operation) => operation.operation === `${kind}_options` && operation.outcome === 'ok');
  const finished = sum(operations, (operation) => operation.operation === kind);
  const succeeded = sum(operations, (operation) => operation.operation === kind && operation.outcome === 'ok');
  const reports = browser.filter((report) => report.ceremony === kind);
  const prompted = Math.min(Math.max(options, finished), finished + sum(reports, (report) => PROMPTED.includes(report.outcome)));
  const share = (/** @type {number} */ part) => (options > 0 ? `(${percent(part / options)})` : '');
  showBars(byId('funnel'), [
    { label: text('console.funnel.options'), value: options, look: 'night' },
    { label: text('console.funnel.prompted'), value: prompted, look: 'night', note: share(prompted) },
    { label: text('console.funnel.finished'), value: finished, look: 'night', note: share(finished) },
    { label: text(kind === 'login' ? 'console.funnel.signedIn' : 'console.funnel.registered'), value: succeeded, look: 'ok', note: share(succeeded) },
  ], '');
  const errors = new Map();
  for (const report of reports.filter(({ outcome }) => outcome !== 'ok')) {
    errors.set(report.outcome, (errors.get(report.outcome) ?? 0) + report.count);
  }
  showBars(byId('browser'), ranked(errors, 'warn'), text('console.funnel.noErrors'));
  setSummary('funnel', options === 0 ? text('console.funnel.none') : text('console.funnel.summary', { number: whole(succeeded), total: whole(options) }));
}

/** @param {Map<string, number>} counts @param {string} look */
const ranked = (counts, look) => [...counts].sort((a, b) => b[1] - a[1]).map(([code, value]) => ({ label: codeText(code), value, look }));

/** @param {any[]} operations */
function renderRefusals(operations) {
  const reasons = new Map();
  for (const { reason, count } of operations.filter((operation) => operation.reason)) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  showBars(byId('refusals'), ranked(reasons, 'bad'), text('console.refusals.none'));
  const total = [...reasons.values()].reduce((a, b) => a + b, 0);
  setSummary('refusals', total === 0 ? '' : `${plural('console.refusals.count', total)}, ${plural('console.refusals.reasons', reasons.size)}.`);
}

/** @param {any[]} visible @param {any[]} operations @param {number} from @param {number} to */
function renderSignIns(visible, operations, from, to) {
  const step = (to - from) / COLUMNS;
  const times = Array.from({ length: COLUMNS }, (_, i) => from + (i + 1) * step);
  const values = (/** @type {string} */ outcome) => times.map((end) =>
    sum(visible.filter((sample) => sample.t > end - step && sample.t <= end).flatMap((sample) => sample.operations), (operation) => operation.operation === 'login' && operation.outcome === outcome));
  plots.signins.show({ times, from, to, kind: 'columns', format: whole, unit: text('console.unit.perSeconds', { number: whole(step / 1000) }), minTop: 4, series: [
    { name: text('console.signins.succeeded'), look: 'ok', values: values('ok') },
    { name: text('console.signins.refused'), look: 'warn', values: values('refused') },
    { name: text('console.signins.failed'), look: 'bad', values: values('failed') },
  ] });
  const count = (/** @type {string} */ outcome) => sum(operations, (operation) => operation.operation === 'login' && operation.outcome === outcome);
  setSummary('signins', text('console.signins.summary', { succeeded: whole(count('ok')), refused: whole(count('refused')), failed: whole(count('failed')) }));
  tile('signins', whole(count('ok')), plural('console.tile.signins', count('ok')));
  tile('refused', whole(count('refused')), plural('console.tile.refused', count('refused')), count('refused') > 0 ? 'warn' : 'good');
}

/** @param {any[]} visible @param {any} last @param {any} base */
function renderResources(visible, last, base) {
  const pool = (/** @type {string} */ state) => visible.map((sample) => sample.pool[state]);
  plots.pool.show({ ...base, kind: 'areas', format: whole, unit: text('console.pool.unit'), minTop: 2, series: [
    { name: text('console.pool.active'), look: 'first', values: pool('active') },
    { name: text('console.pool.idle'), look: 'rest', values: pool('idle') },
    { name: text('console.pool.waiting'), look: 'bad', values: pool('waiting') },
  ] });
  const maxWaiting = Math.max(0, ...pool('waiting'));
  setSummary('pool', maxWaiting === 0 ? text('console.pool.none') : plural('console.pool.summary', maxWaiting));
  const peak = Math.max(...visible.map((sample) => sample.heap.used));
  plots.heap.show({ ...base, kind: 'areas', format: bytes, minTop: 2 ** 26, step: 2 ** 24, series: [
    { name: text('console.heap.used'), look: 'first', values: visible.map((sample) => sample.heap.used) },
  ] });
  setSummary('heap', text('console.heap.summary', { used: bytes(last.heap.used), peak: bytes(peak), limit: bytes(last.heap.max) }));
}

/** @param {any[]} visible @param {any} last @param {number} from @param {number} to */
function renderHealth(visible, last, from, to) {
  const names = [...new Set(visible.flatMap((sample) => Object.keys(sample.health)))];
  showStrips(byId('health'), names, visible, from, to);
  const down = names.filter((name) => last.health[name] === 'down');
  setSummary('health', last.ready ? text('console.health.summary', { from: clock(Math.max(from, visible[0].t - visible[0].ms)), to: clock(to) })
    : down.length > 0 ? text('console.health.down', { checks: down.join(', ') }) : text('console.health.notReady'));
  tile('ready', text(last.ready ? 'console.tile.ready' : 'console.tile.notReady'),
    last.ready ? plural('console.tile.checks', names.length) : down.length > 0 ? text('console.tile.down', { checks: down.join(', ') }) : text('console.tile.starting'), last.ready ? 'good' : 'bad');
}

/** @param {string} name @param {string} value @param {string} label @param {string} [look] */
function tile(name, value, label, look = '') {
  const box = byId(`tile-${name}`);
  box.className = `tile ${look}`;
  box.replaceChildren(el('b', {}, value), el('span', {}, label));
}

/** Whether the list may change: not while the operator points at it or has the focus in it. */
const isIdle = () => !byId('latest').matches(':hover, :focus-within');

function renderLatest() {
  const state = /** @type {any} */ (document.querySelector('[name="state"]:checked')).value;
  const chosen = latest.filter((ceremony) => state === 'all' || ceremony.state === state);
  recent.show(showAll ? chosen : chosen.slice(0, PAGE_SIZE), text('console.latest.none'));
  byId('more').hidden = showAll || chosen.length <= PAGE_SIZE;
}

async function loadLatest() {
  latest = (await ceremonies('')).ceremonies;
  if (isIdle()) {
    renderLatest();
  }
}

/** Short, because the header has one row. */
const STATES = {
  connecting: text('console.connection.connecting'),
  live: text('console.connection.live'),
  lost: text('console.connection.offline'),
  locked: text('console.connection.locked'),
  off: text('console.connection.offline'),
};

/** @param {keyof typeof STATES} state @param {string} [message] what happened */
function connection(state, message = '') {
  byId('console').dataset.connection = state;
  byId('connection').dataset.state = state;
  byId('connection').textContent = STATES[state];
  if (state !== 'connecting') { // the page would move with each attempt
    byId('connection-message').textContent = message;
  }
}

/** @param {any} sample */
function addSample(sample) {
  if (sample.t > (samples[samples.length - 1]?.t ?? 0)) {
    samples = [...samples, sample].slice(-MAX_SAMPLES);
    render();
  }
  if (sample.revision !== revision) {
    revision = sample.revision;
    loadLatest().catch(() => { revision = -1; });
  }
}

function lock() {
  connection('locked');
  byId('token-form').hidden = false;
  byId('token').focus();
}

async function run() {
  byId('token-form').hidden = true;
  try {
    await follow({
      state: (state, retryMs) => connection(state, retryMs && text('console.connection.lost', { number: numberText(retryMs / 1000) })),
      history: (old) => {
        if (byId('console').classList.contains('locked')) {
          byId('console').classList.remove('locked');
          openViews();
        }
        samples = old;
        revision = -1;
        if (old.length > 0) {
          addSample(old[old.length - 1]);
          render();
        }
      },
      sample: addSample,
    });
  } catch (error) {
    byId('console').classList.add('locked');
    if (error instanceof ApiError && error.status === 401) {
      lock();
    } else {
      connection('off', textOf(error));
    }
  }
}

byId('token-form').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  storeToken(byId('token').value.trim());
  byId('token-alert').textContent = '';
  run().then(() => {
    if (byId('connection').dataset.state === 'locked') {
      byId('token-alert').textContent = text('console.token.invalid');
    }
  });
});

['pointerleave', 'focusout'].forEach((type) => byId('latest').addEventListener(type, () => setTimeout(() => isIdle() && renderLatest())));
byId('more').addEventListener('click', () => {
  const last = byId('latest').lastElementChild;
  showAll = true;
  renderLatest();
  last?.nextElementSibling?.querySelector('summary')?.focus();
});
document.querySelectorAll('[name="window"], [name="ceremony"]').forEach((input) => input.addEventListener('change', render));
document.querySelectorAll('[name="state"]').forEach((input) => input.addEventListener('change', renderLatest));
byId('route').addEventListener('change', render);
if (byId('console').dataset.access === 'token' && !hasToken()) {
  lock();
} else {
  run();
}
