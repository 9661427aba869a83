// SPDX-License-Identifier: Apache-2.0
// The Mail view: the mail server, its mails, and invitations from CSV.

import { call } from './console-api.js';
import { deliveryPanel } from './console-deliveries.js';
import { area, field, openForm, textInput } from './console-dialog.js';
import { actionButtons, doneMessage, loader, mainPanel, pagedTable, panel } from './console-panels.js';
import { linkTo } from './console-views.js';
import { byId, el } from './dom.js';
import { numberText, text } from './texts.js';

const MAIL = '/admin/mail';
const PAGE_SIZE = 50;
/** The class of the badge by result, what needs attention first. @type {Record<string, string>} */
const BADGES = { refused: 'refused', skipped: 'abandoned', invited: 'succeeded' };
const show = loader(byId('mail'));

/** @typedef {import('openapi').Invitations['people'][number]} Person */

/** @param {string} done what was done, to announce @param {Person[]} [people] who were just invited */
async function view(done, people) {
  /** @type {import('openapi').Mail} */
  const mail = await call(MAIL);
  const facts = { server: mail.server ?? '', from: mail.from ?? '', pending: numberText(mail.pending) };
  return [
    mainPanel('mail-title', [text('console.mail.title')], el('span'), doneMessage(done),
      ...(mail.server === undefined ? [el('p', {}, text('console.mail.off'))] : [
        el('dl', { class: 'facts settings-list' }, ...Object.entries(facts).flatMap(([name, value]) =>
          [el('dt', {}, text(`console.mail.${name}`)), el('dd', { dir: 'ltr', class: 'uri', [`data-${name}`]: '' }, value)])),
        ...actionButtons(
          [text('console.mail.invite'), invite, () => {}, '', 'manage'],
          [text('console.mail.test'), test, () => reload(text('console.mail.tested')), '', 'manage']),
      ])),
    ...(people ? [reportPanel(people)] : []),
    deliveryPanel(MAIL, mail, reload),
  ];
}

/** @param {string} done @param {Person[]} [people] */
const reload = (done, people) => show(() => view(done, people), '#mail-title');

function test() {
  const to = textInput({ type: 'email', required: true, maxlength: 254, dir: 'ltr' });
  return openForm({
    title: text('console.mail.testTitle'),
    content: [field('mail-to', text('console.mail.to'), to)],
    label: text('console.mail.testButton'),
    isComplete: () => to.value.trim() !== '',
    work: () => call(`${MAIL}/test`, 'POST', { to: to.value.trim() }),
  });
}

async function invite() {
  const csv = area([], { rows: 6, required: true });
  const file = el('input', {
    type: 'file', accept: '.csv,text/csv',
    change: async () => {
      if (file.files.length === 0) return;
      csv.value = await file.files[0].text();
      file.value = ''; // so that the corrected file can be chosen again
      csv.dispatchEvent(new Event('input', { bubbles: true }));
    },
  });
  /** @type {Person[] | undefined} */
  const people = await openForm({
    title: text('console.mail.inviteTitle'),
    content: [field('mail-file', text('console.mail.file'), file), field('mail-csv', text('console.mail.csv'), csv, text('console.mail.csvHint'))],
    label: text('console.mail.inviteButton'),
    isComplete: () => csv.value.trim() !== '',
    work: () => inviteAll(csv.value),
  });
  if (people) {
    const count = (/** @type {string} */ state) => numberText(people.filter((person) => person.state === state).length);
    reload(text('console.mail.report', { invited: count('invited'), skipped: count('skipped'), refused: count('refused') }), people);
  }
}

/** Invites some people per request. @param {string} csv @returns {Promise<Person[]>} */
async function inviteAll(csv) {
  if (csv.includes('\uFFFD')) {
    throw new Error(text('console.mail.notUtf8'));
  }
  const people = [];
  for (let after; ;) {
    /** @type {import('openapi').Invitations} */
    const page = await call('/admin/invitations', 'POST', { csv, after });
    people.push(...page.people);
    if (page.next === undefined) {
      return people;
    }
    after = page.next;
  }
}

/** @param {Person[]} people */
function reportPanel(people) {
  const states = Object.keys(BADGES);
  const sorted = [...people].sort((a, b) => states.indexOf(a.state) - states.indexOf(b.state) || a.line - b.line);
  const page = (/** @type {number} */ from) => ({ rows: sorted.slice(from, from + PAGE_SIZE), next: from + PAGE_SIZE < sorted.length ? String(from + PAGE_SIZE) : undefined });
  const columns = ['line', 'user', 'result', 'details'].map((name) => text(`console.mail.${name}`));
  const { list, more, status } = pagedTable(columns, page(0), ({ rows }) => rows.map(reportRow), async (after) => page(Number(after)));
  return panel('mail-report-title', text('console.mail.invitations'),
    el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-labelledby': 'mail-report-title' }, list), status, el('div', {}, more));
}

/** @param {Person} person @returns {HTMLElement} */
const reportRow = ({ line, userId, state, detail }) => el('tr', { 'data-line': line },
  el('td', {}, numberText(line)),
  el('th', { scope: 'row', dir: 'auto' }, state === 'refused' ? userId : el('a', { href: linkTo('users', userId) }, userId)),
  el('td', { class: 'corner' }, el('span', { class: `badge ${BADGES[state]}` }, text(`console.mail.${state}`))),
  el('td', {}, el('bdi', { lang: 'en' }, detail)));

export const showMail = () => show(() => view(''));
