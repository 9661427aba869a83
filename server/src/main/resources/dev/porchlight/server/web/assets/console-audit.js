// SPDX-License-Identifier: Apache-2.0
// The Audit view: the audit log of all users, filtered, and its export.

import { request, query, textOf } from './console-api.js';
import { actionText, auditRow, listAudit } from './console-audit-rows.js';
import { field, textInput, userInput } from './console-dialog.js';
import { loader, mainPanel, pagedTable } from './console-panels.js';
import { byId, el } from './dom.js';
import { catalog, numberText, text } from './texts.js';

const PAGE_SIZE = 50;
const DAY = 86_400_000;
const ACTION = /^console\.action\.(\w+)$/;
const COLUMNS = ['time', 'action', 'user', 'operator', 'result', 'details', 'correlationId'];
const show = loader(byId('audit'));

/** @typedef {Record<string, string>} Choices the values of the form's fields */

/** @param {Choices} choices */
function filterOf({ userId, operator, action, since, until }) {
  const day = (/** @type {string} */ date, more = 0) => (date ? new Date(`${date}T00:00`).getTime() + more : undefined);
  return { userId: userId || undefined, operator: operator || undefined, action: action || undefined, since: day(since), until: day(until, DAY - 1) };
}

/** @param {Choices} choices */
async function view(choices) {
  const filter = filterOf(choices);
  const load = (/** @type {string | undefined} */ after) => listAudit({ ...filter, after, limit: PAGE_SIZE });
  const first = await load(undefined);
  const { list, more, status } = pagedTable(COLUMNS.map((name) => text(`console.audit.${name}`)), first, ({ events }) => events.map((event) => auditRow(event, true)), load);
  if (first.events.length === 0) {
    status.textContent = text('console.audit.none');
  }
  const exported = el('p', { class: 'soft', role: 'status' });
  const exportButton = (/** @type {string} */ format, /** @type {string} */ label) =>
    el('button', { type: 'button', class: 'small', 'data-format': format, click: () => exportRows(filter, format, exported) }, label);
  return [mainPanel('audit-title', [text('console.audit.page')],
    el('div', { class: 'actions' }, exportButton('jsonl', text('console.audit.exportLines')), exportButton('csv', text('console.audit.exportCsv'))),
    exported, form(choices),
    first.events.length === 0 ? undefined : el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-labelledby': 'audit-title' }, list),
    status, el('div', {}, more))];
}

/** @param {Choices} choices */
function form(choices) {
  const actions = Object.keys(catalog).flatMap((key) => key.match(ACTION)?.[1] ?? []);
  const action = el('select', { name: 'action' }, el('option', { value: '' }, text('console.audit.all')),
    ...actions.map((code) => el('option', { value: code, selected: code === choices.action }, actionText(code))));
  const date = (/** @type {string} */ name) => el('input', { type: 'date', name, value: choices[name] ?? '' });
  return el('form', {
    class: 'filter',
    submit: (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      show(() => view(/** @type {Choices} */ (Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (event.target))))), '#audit-title');
    },
  },
  field('audit-user', text('console.audit.user'), userInput({ name: 'userId', value: choices.userId ?? '', dir: 'auto' })),
  field('audit-operator', text('console.audit.operator'), textInput({ name: 'operator', value: choices.operator ?? '', placeholder: 'user:ada', dir: 'ltr' })),
  field('audit-action', text('console.audit.action'), action),
  field('audit-since', text('console.audit.since'), date('since')),
  field('audit-until', text('console.audit.until'), date('until')),
  el('div', {}, el('button', { type: 'submit', class: 'primary', id: 'audit-filter' }, text('console.audit.filter'))));
}

/** Saves all rows of the filter as a file, which the service sends page by page. @param {Record<string, any>} filter @param {string} format @param {HTMLElement} status */
async function exportRows(filter, format, status) {
  const parts = [];
  try {
    /** @type {string | undefined} */
    let address = `/admin/audit${query({ ...filter, format })}`;
    while (address) {
      status.textContent = text('console.audit.exporting', { number: numberText(parts.length) });
      const page = await request(address);
      const lines = await page.text();
      parts.push(format === 'csv' && parts.length > 0 ? lines.slice(lines.indexOf('\n') + 1) : lines);
      address = page.headers.get('link')?.match(/<(.*)>; rel="next"/)?.[1];
    }
    const href = URL.createObjectURL(new Blob(parts));
    el('a', { href, download: `audit.${format}` }).click();
    URL.revokeObjectURL(href);
    status.textContent = text('console.audit.exported');
  } catch (error) {
    status.textContent = textOf(error);
  }
}

export const showAudit = () => show(() => view({}));
