// SPDX-License-Identifier: Apache-2.0
// Shows the result of each verification step, for a refused response (by support code) or a captured one.

import { byId, el } from './dom.js';
import { timeOfDay } from './plot-format.js';
import { ceremonyTitle, setting, stepName } from './console-ceremonies.js';
import { textOf } from './console-api.js';
import { explain } from './console-feed.js';
import { codeText } from './console-format.js';
import { comparison } from './console-panels.js';
import { parts, plural, text } from './texts.js';

const MARKS = { passed: '✓', refused: '✗', not_checked: '?', not_reached: '–' };

/** @param {any} explained */
function headline({ ceremony, refused, refusal }) {
  return `${ceremonyTitle(ceremony, refusal?.user)}: ${refused === 0 ? text('console.explain.passed') : plural('console.explain.failed', refused)}`;
}

/** @param {any} refusal the original refusal @param {string[]} others trace ids with the same support code */
function history(refusal, others) {
  return el('div', { class: 'soft history' },
    el('p', {}, ...parts('console.explain.history', {
      time: el('time', { datetime: new Date(refusal.at).toISOString() }, timeOfDay(refusal.at)),
      reason: codeText(refusal.step),
      code: el('code', { class: 'code' }, refusal.supportCode),
      id: el('bdi', {}, refusal.correlationId),
    })),
    others.length === 0 ? undefined : el('p', {}, text('console.explain.others'), ' ',
      ...others.map((traceId) => el('button', { class: 'quiet small', type: 'button', 'data-explain': traceId }, traceId.slice(0, 12)))));
}

/** @param {any} finding @param {string | undefined} known the step whose cause the ceremony explains, with what happened since */
function verdict({ step, name, state, expected, found, detail, cause }, known) {
  return el('li', { class: `verdict ${state}`, 'data-step': step, 'data-state': state },
    el('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[/** @type {keyof MARKS} */ (state)]),
    el('p', { class: 'about' }, el('b', {}, stepName({ step, name })), ' ', el('span', { class: 'state' }, text(`console.step.${state}`)),
      ...(detail ? [': ', el('bdi', {}, detail)] : [])),
    state === 'not_reached' ? undefined : comparison({ 'console.fact.expected': expected, 'console.fact.found': found }),
    cause === undefined ? undefined : el('div', { class: 'message cause bad' },
      el('p', {}, el('b', {}, cause.what), step === known ? '' : ` ${cause.advice}`),
      cause.settings.length === 0 ? undefined
        : el('ul', { class: 'settings' }, ...cause.settings.map((/** @type {string} */ one) => setting(one, undefined)))));
}

/** @param {any} explained */
function show(explained) {
  const title = el('h2', { id: 'explained-title', tabindex: '-1' }, headline(explained));
  byId('explained').replaceChildren(title, ...(explained.refusal ? [history(explained.refusal, explained.others)] : []),
    el('ol', { class: 'verdicts', 'aria-labelledby': 'explained-title' }, ...explained.steps.map((/** @type {any} */ finding) => verdict(finding, explained.refusal?.step))));
  title.focus({ preventScroll: true });
  byId('explain').scrollIntoView({ block: 'start' });
}

/** @param {any} question */
async function ask(question) {
  byId('explain').hidden = false;
  byId('explain').setAttribute('aria-busy', 'true');
  byId('explain-alert').textContent = '';
  try {
    show(await explain(question));
  } catch (error) {
    byId('explained').replaceChildren();
    byId('explain-alert').textContent = textOf(error);
    byId('explain').scrollIntoView({ block: 'nearest' });
  } finally {
    byId('explain').removeAttribute('aria-busy');
  }
}

byId('explain-form').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  const [response, options, userId] = ['explain-response', 'explain-options', 'explain-user'].map((id) => byId(id).value);
  ask({ response, ...(options.trim() === '' ? {} : { options }), ...(userId === '' ? {} : { userId }) });
});

document.addEventListener('click', (event) => {
  const button = /** @type {Element} */ (event.target).closest('[data-explain]');
  if (button) {
    ask({ code: button.getAttribute('data-explain') });
  }
});
