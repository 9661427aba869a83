// SPDX-License-Identifier: Apache-2.0
// The operators' console: what the service does and did, and why a ceremony failed.

import { byId, el } from './dom.js';
import { CeremonyList, words } from './console-ceremonies.js';
import { ceremonies, follow, hasToken, keepToken, Refused } from './console-feed.js';
import './console-explain.js';
import { clock, Plot, showBars, showStrips } from './console-plots.js';

const KEPT = 750;
const COLUMNS = 30;
const SHOWN = 8;
/** A person saw the passkey window, if the browser ended there. */
const PROMPTED = ['dismissed', 'timeout', 'authenticator', 'duplicate'];

/** @type {any[]} */
let samples = [];
/** @type {any[]} */
let latest = [];
let revision = -1;
let all = false;

const figures = Object.fromEntries([...document.querySelectorAll('[data-plot]')].map((figure) => [figure.getAttribute('data-plot'), figure]));
const plots = Object.fromEntries(['requests', 'latency', 'signins', 'pool', 'heap'].map((name) => [name, new Plot(figures[name])]));
const found = new CeremonyList(byId('found'));
const recent = new CeremonyList(byId('latest'));

const rate = (/** @type {number} */ value) => (value >= 10 ? value.toFixed(0) : value.toFixed(value >= 1 || value === 0 ? 1 : 2));
const millis = (/** @type {number} */ value) => (value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${value >= 10 || value === 0 ? Math.round(value) : value.toFixed(1)} ms`);
const bytes = (/** @type {number} */ value) => (value >= 2 ** 30 ? `${(value / 2 ** 30).toFixed(1)} GiB` : `${Math.round(value / 2 ** 20)} MiB`);
const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString();
const say = (/** @type {string} */ plot, /** @type {string} */ text) => {
  figures[plot].querySelector('.summary').textContent = text;
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
  const seen = samples.filter((sample) => sample.t >= from);
  const times = seen.map((sample) => sample.t);
  const base = { times, from, to };
  const acts = seen.flatMap((sample) => sample.acts);
  renderRequests(seen, base);
  renderLatency(seen, base);
  renderFunnel(acts, seen.flatMap((sample) => sample.browser));
  renderRefusals(acts);
  renderSignIns(seen, acts, from, to);
  renderResources(seen, last, base);
  renderHealth(seen, last, from, to);
}

/** @param {any[]} seen @param {any} base */
function renderRequests(seen, base) {
  const fine = seen.map((sample) => requests(sample, (name) => !/^[45]/.test(name)));
  const theirs = seen.map((sample) => requests(sample, (name) => name.startsWith('4')));
  const ours = seen.map((sample) => requests(sample, (name) => name.startsWith('5')));
  plots.requests.show({ ...base, kind: 'areas', format: rate, least: 0.5, series: [
    { name: 'answered', look: 'ok', values: fine },
    { name: '4xx', look: 'warn', values: theirs },
    { name: '5xx', look: 'bad', values: ours },
  ] });
  const count = seen.reduce((total, sample) => total + Object.values(sample.requests).reduce((a, b) => a + Number(b), 0), 0);
  const failed = seen.reduce((total, sample) => total + (sample.requests['5xx'] ?? 0), 0);
  say('requests', `${whole(count)} requests, ${whole(failed)} of them failed on our side.`);
  const now = seen.slice(-6);
  tile('rate', rate(now.reduce((total, sample) => total + requests(sample, () => true), 0) / Math.max(1, now.length)), 'requests a second');
  tile('errors', whole(failed), failed === 1 ? 'error of ours (5xx)' : 'errors of ours (5xx)', failed > 0 ? 'bad' : 'good');
}

/** @param {any[]} seen @param {any} base */
function renderLatency(seen, base) {
  const busy = new Map();
  for (const { route, count } of seen.flatMap((sample) => sample.routes)) {
    busy.set(route, (busy.get(route) ?? 0) + count);
  }
  const select = byId('route');
  const names = [...busy.keys()].sort();
  if (names.join() !== [...select.options].map((option) => option.value).join() && document.activeElement !== select) {
    const chosen = [select.value, 'POST /auth/passkey/login/finish', ...[...busy].sort((a, b) => b[1] - a[1]).map(([name]) => name)].find((name) => busy.has(name));
    select.replaceChildren(...names.map((name) => el('option', { value: name, selected: name === chosen }, name)));
  }
  const of = (/** @type {string} */ quantile) => seen.map((sample) => sample.routes.find((/** @type {any} */ route) => route.route === select.value)?.[quantile] ?? null);
  const [p50, p95, p99] = ['p50', 'p95', 'p99'].map(of);
  plots.latency.show({ ...base, kind: 'lines', format: millis, series: [
    { name: 'p50', look: 'first', values: p50 },
    { name: 'p95', look: 'second', values: p95 },
    { name: 'p99', look: 'third', values: p99 },
  ] });
  const at = p95.findLastIndex((/** @type {any} */ value) => value !== null);
  say('latency', at < 0 ? 'No request to this route.' : `Half of them within ${millis(p50[at])}, 99 of 100 within ${millis(p99[at])}.`);
}

/** @param {any[]} acts @param {any[]} browser */
function renderFunnel(acts, browser) {
  const kind = /** @type {any} */ (document.querySelector('[name="ceremony"]:checked')).value;
  const options = sum(acts, (act) => act.act === `${kind}_options` && act.outcome === 'ok');
  const finished = sum(acts, (act) => act.act === kind);
  const good = sum(acts, (act) => act.act === kind && act.outcome === 'ok');
  const reports = browser.filter((report) => report.ceremony === kind);
  const prompted = Math.min(Math.max(options, finished), finished + sum(reports, (report) => PROMPTED.includes(report.outcome)));
  const share = (/** @type {number} */ part) => (options > 0 ? `(${Math.round((100 * part) / options)} %)` : '');
  showBars(byId('funnel'), [
    { label: 'Options given out', value: options, look: 'night' },
    { label: 'Passkey window used', value: prompted, look: 'night', note: share(prompted) },
    { label: 'Answer received', value: finished, look: 'night', note: share(finished) },
    { label: kind === 'login' ? 'Signed in' : 'Registered', value: good, look: 'ok', note: share(good) },
  ], '');
  const lost = new Map();
  for (const report of reports.filter(({ outcome }) => outcome !== 'ok')) {
    lost.set(report.outcome, (lost.get(report.outcome) ?? 0) + report.count);
  }
  showBars(byId('browser'), ranked(lost, 'warn'), 'Browsers reported no trouble.');
  say('funnel', options === 0 ? 'No options were given out.' : `${whole(good)} of ${whole(options)} went all the way. Pages that arm autofill ask for options that nobody may use.`);
}

/** @param {Map<string, number>} counts @param {string} look */
const ranked = (counts, look) => [...counts].sort((a, b) => b[1] - a[1]).map(([code, value]) => ({ label: words(code), value, look }));

/** @param {any[]} acts */
function renderRefusals(acts) {
  const reasons = new Map();
  for (const { reason, count } of acts.filter((act) => act.reason)) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  showBars(byId('refusals'), ranked(reasons, 'bad'), 'Nothing was refused.');
  const total = [...reasons.values()].reduce((a, b) => a + b, 0);
  say('refusals', total === 0 ? '' : `${whole(total)} refused, for ${reasons.size} ${reasons.size === 1 ? 'reason' : 'reasons'}.`);
}

/** @param {any[]} seen @param {any[]} acts @param {number} from @param {number} to */
function renderSignIns(seen, acts, from, to) {
  const step = (to - from) / COLUMNS;
  const times = Array.from({ length: COLUMNS }, (_, i) => from + (i + 1) * step);
  const values = (/** @type {string} */ outcome) => times.map((end) =>
    sum(seen.filter((sample) => sample.t > end - step && sample.t <= end).flatMap((sample) => sample.acts), (act) => act.act === 'login' && act.outcome === outcome));
  plots.signins.show({ times, from, to, kind: 'columns', format: whole, least: 4, series: [
    { name: 'ok', look: 'ok', values: values('ok') },
    { name: 'refused', look: 'warn', values: values('refused') },
    { name: 'failed', look: 'bad', values: values('failed') },
  ] });
  const count = (/** @type {string} */ outcome) => sum(acts, (act) => act.act === 'login' && act.outcome === outcome);
  say('signins', `${whole(count('ok'))} signed in, ${whole(count('refused'))} were refused, ${whole(count('failed'))} failed on our side.`);
  tile('signins', whole(count('ok')), count('ok') === 1 ? 'sign-in' : 'sign-ins');
  tile('refused', whole(count('refused')), count('refused') === 1 ? 'refused sign-in' : 'refused sign-ins', count('refused') > 0 ? 'warn' : 'good');
}

/** @param {any[]} seen @param {any} last @param {any} base */
function renderResources(seen, last, base) {
  const pool = (/** @type {string} */ state) => seen.map((sample) => sample.pool[state]);
  plots.pool.show({ ...base, kind: 'areas', format: whole, least: 2, series: [
    { name: 'active', look: 'first', values: pool('active') },
    { name: 'idle', look: 'rest', values: pool('idle') },
    { name: 'waiting', look: 'bad', values: pool('waiting') },
  ] });
  const waited = Math.max(0, ...pool('waiting'));
  say('pool', waited === 0 ? 'No request waited for a connection.' : `At most ${whole(waited)} requests waited for a connection at once.`);
  plots.heap.show({ ...base, kind: 'areas', format: bytes, top: last.heap.max, series: [
    { name: 'used', look: 'first', values: seen.map((sample) => sample.heap.used) },
  ] });
  say('heap', `${bytes(last.heap.used)} of ${bytes(last.heap.max)} used.`);
}

/** @param {any[]} seen @param {any} last @param {number} from @param {number} to */
function renderHealth(seen, last, from, to) {
  const names = [...new Set(seen.flatMap((sample) => Object.keys(sample.health)))];
  showStrips(byId('health'), names, seen, from, to);
  const down = names.filter((name) => last.health[name] === 'down');
  say('health', last.ready ? `Ready, from ${clock(Math.max(from, seen[0].t - seen[0].ms))} to ${clock(to)}.` : down.length > 0 ? `Not ready: ${down.join(', ')} down.` : 'Not ready.');
  tile('ready', last.ready ? 'Ready' : 'Not ready', last.ready ? `${names.length} checks up` : down.length > 0 ? `${down.join(', ')} down` : 'starting or stopping', last.ready ? 'good' : 'bad');
}

/** @param {string} name @param {string} value @param {string} label @param {string} [look] */
function tile(name, value, label, look = '') {
  const box = byId(`tile-${name}`);
  box.className = `tile ${look}`;
  box.replaceChildren(el('b', {}, value), el('span', {}, label));
}

/** Not while somebody points at the list or is in it: what moves away under a pointer is not a list. */
const atRest = () => !byId('latest').matches(':hover, :focus-within');

function renderLatest() {
  const state = /** @type {any} */ (document.querySelector('[name="state"]:checked')).value;
  const chosen = latest.filter((ceremony) => state === 'all' || ceremony.state === state);
  recent.show(all ? chosen : chosen.slice(0, SHOWN), 'None since the service started, or none that is remembered.');
  byId('more').hidden = all || chosen.length <= SHOWN;
}

async function loadLatest() {
  latest = await ceremonies('');
  if (atRest()) {
    renderLatest();
  }
}

/** @param {'connecting' | 'live' | 'lost' | 'locked' | 'off'} state @param {string} text */
function connection(state, text) {
  byId('console').dataset.connection = state;
  byId('connection').dataset.state = state;
  byId('connection').textContent = text;
}

/** @param {any} sample */
function take(sample) {
  if (sample.t > (samples[samples.length - 1]?.t ?? 0)) {
    samples = [...samples, sample].slice(-KEPT);
    render();
  }
  if (sample.revision !== revision) {
    revision = sample.revision;
    loadLatest().catch(() => { revision = -1; });
  }
}

function lock() {
  connection('locked', 'Locked');
  byId('token-form').hidden = false;
  byId('token').focus();
}

async function run() {
  byId('token-form').hidden = true;
  try {
    await follow({
      state: (state, retryMs = 0) => connection(state, state === 'live' ? 'Live' : state === 'lost' ? `Connection lost. Trying again in ${retryMs / 1000} s.` : 'Connecting…'),
      history: (old) => {
        byId('console').classList.remove('locked');
        samples = old;
        revision = -1;
        if (old.length > 0) {
          take(old[old.length - 1]);
          render();
        }
      },
      sample: take,
    });
  } catch (error) {
    byId('console').classList.add('locked');
    if (error instanceof Refused && error.status === 401) {
      lock();
    } else {
      connection('off', error instanceof Error ? error.message : String(error));
    }
  }
}

byId('token-form').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  keepToken(byId('token').value.trim());
  byId('token-alert').textContent = '';
  run().then(() => {
    if (byId('connection').dataset.state === 'locked') {
      byId('token-alert').textContent = 'That token was not accepted.';
    }
  });
});

byId('find-form').addEventListener('submit', async (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId('find').value.trim();
  byId('find-status').textContent = '';
  if (text === '') {
    found.show([], '');
    byId('found').replaceChildren();
    return;
  }
  try {
    const matches = await ceremonies(text);
    found.show(matches, `No ceremony goes by “${text}”. It may be older than what is remembered, or another instance's.`, true);
    byId('find-status').textContent = matches.length === 0 ? '' : matches.length === 1 ? 'One ceremony found.' : `${matches.length} ceremonies found.`;
  } catch (error) {
    byId('find-status').textContent = error instanceof Error ? error.message : String(error);
  }
});

['pointerleave', 'focusout'].forEach((leaving) => byId('latest').addEventListener(leaving, () => setTimeout(() => atRest() && renderLatest())));
byId('more').addEventListener('click', () => { all = true; renderLatest(); });
document.querySelectorAll('[name="window"], [name="ceremony"]').forEach((input) => input.addEventListener('change', render));
document.querySelectorAll('[name="state"]').forEach((input) => input.addEventListener('change', renderLatest));
byId('route').addEventListener('change', render);
if (byId('console').dataset.access === 'token' && !hasToken()) {
  lock();
} else {
  run();
}
