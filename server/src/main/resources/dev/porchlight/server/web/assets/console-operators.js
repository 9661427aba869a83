// SPDX-License-Identifier: Apache-2.0
// The Operators view: people with a role, and the tokens of programs.

import { call, segment } from './console-api.js';
import { confirm, copyField, field, openForm, openNotice, textInput, userInput } from './console-dialog.js';
import { doneMessage, loader, mainPanel, table } from './console-panels.js';
import { linkTo } from './console-views.js';
import { byId, el } from './dom.js';
import { text } from './texts.js';
import { timeOf } from './times.js';

const OPERATORS = '/admin/operators';
const TOKENS = '/admin/tokens';
const ROLES = ['owner', 'operator', 'support', 'auditor'];
const DAY = 86_400_000;
/** Days until a token expires; 0 for never. */
const LIFETIMES = [90, 365, 30, 0];
const show = loader(byId('operators'));

/** @param {string} role */
const roleText = (role) => text(`console.role.${role}`);

/** @param {string} [chosen] */
const roleInput = (chosen = 'support') => el('select', {}, ...ROLES.map((role) =>
  el('option', { value: role, selected: role === chosen }, text('console.operators.roleOption', { role: roleText(role), permits: text(`console.operators.${role}`) }))));

/** @param {string} done what was done, to announce */
async function view(done) {
  const [{ operators }, { tokens }] = await Promise.all([call(OPERATORS), call(TOKENS)]);
  const button = (/** @type {string} */ id, /** @type {string} */ label, /** @type {() => unknown} */ click) =>
    el('button', { type: 'button', class: 'small', id, 'data-needs': 'own', click }, label);
  return [
    mainPanel('operators-title', [text('console.operators.title')], button('add-operator', text('console.operators.add'), () => give()),
      doneMessage(done),
      operators.length === 0 ? el('p', {}, text('console.operators.none'))
        : table(['user', 'role', 'since', 'actions'].map((name) => text(`console.operators.${name}`)), operators.map(operatorRow))),
    mainPanel('tokens-title', [text('console.tokens.title')], button('issue-token', text('console.tokens.issue'), issue),
      el('p', { class: 'soft' }, text('console.tokens.lead')),
      tokens.length === 0 ? el('p', {}, text('console.tokens.none'))
        : table(['name', 'role', 'issued', 'expires', 'lastUse', 'actions'].map((name) => text(`console.tokens.${name}`)), tokens.map(tokenRow))),
  ];
}

/** @param {string} done */
const reload = (done) => show(() => view(done), '#operators-title');

/** @param {any} operator */
const operatorRow = ({ userId, role, createdAt }) => el('tr', { 'data-user': userId },
  el('th', { scope: 'row' }, el('a', { href: linkTo('users', userId), dir: 'auto' }, userId)),
  el('td', { class: 'corner' }, el('span', { class: 'badge' }, roleText(role))),
  el('td', {}, timeOf(createdAt)),
  el('td', {}, el('div', { class: 'actions', 'data-needs': 'own' },
    el('button', { type: 'button', class: 'small', 'aria-label': text('console.operators.changeLabel', { user: userId }), click: () => give(userId, role) }, text('console.operators.change')),
    el('button', { type: 'button', class: 'small', 'aria-label': text('console.operators.removeLabel', { user: userId }), click: () => takeAway(userId) }, text('console.operators.remove')))));

/** @param {any} token */
const tokenRow = ({ name, role, createdAt, createdBy, expiresAt, lastUsedAt }) => el('tr', { 'data-token': name },
  el('th', { scope: 'row', dir: 'ltr' }, name),
  el('td', { class: 'corner' }, el('span', { class: 'badge' }, roleText(role))),
  el('td', {}, timeOf(createdAt), ', ', el('bdi', {}, createdBy)),
  el('td', {}, expiresAt === undefined ? text('console.tokens.never') : timeOf(expiresAt)),
  el('td', {}, lastUsedAt === undefined ? text('console.users.never') : timeOf(lastUsedAt)),
  el('td', {}, el('button', { type: 'button', class: 'small', 'data-needs': 'own', 'aria-label': text('console.tokens.revokeLabel', { name }), click: () => revoke(name) }, text('console.tokens.revoke'))));

/** Gives a role. @param {string} [userId] asked for if absent @param {string} [current] */
async function give(userId, current) {
  const user = userInput({ required: true, dir: 'auto' });
  const role = roleInput(current);
  const chosen = () => userId ?? user.value.trim();
  const done = await openForm({
    title: userId === undefined ? text('console.operators.addTitle') : text('console.operators.changeTitle', { user: userId }),
    content: [
      text('console.operators.addText'),
      ...(userId === undefined ? [field('operator-user', text('console.operators.user'), user)] : []),
      field('operator-role', text('console.operators.role'), role),
    ],
    label: text('console.operators.addButton'),
    isComplete: () => chosen() !== '',
    work: () => call(OPERATORS, 'POST', { userId: chosen(), role: role.value }),
  });
  if (done) {
    reload(text('console.operators.wasAdded', { user: chosen(), role: roleText(role.value) }));
  }
}

/** @param {string} userId */
async function takeAway(userId) {
  if (await confirm(text('console.operators.removeTitle', { user: userId }), text('console.operators.removeText'), text('console.operators.removeButton'),
    () => call(`${OPERATORS}/${segment(userId)}`, 'DELETE'))) {
    reload(text('console.operators.wasRemoved', { user: userId }));
  }
}

async function issue() {
  const name = textInput({ required: true, maxlength: 64, dir: 'ltr' });
  const role = roleInput();
  const lifetime = el('select', {}, ...LIFETIMES.map((days) => el('option', { value: days }, days === 0 ? text('console.tokens.never') : text('console.tokens.days', { number: String(days) }))));
  const issued = await openForm({
    title: text('console.tokens.issueTitle'),
    content: [
      field('token-name', text('console.tokens.name'), name, text('console.tokens.nameHint')),
      field('token-role', text('console.tokens.role'), role),
      field('token-lifetime', text('console.tokens.expires'), lifetime),
    ],
    label: text('console.tokens.issueButton'),
    isComplete: () => name.value.trim() !== '',
    work: () => call(TOKENS, 'POST', { name: name.value.trim(), role: role.value, ...(lifetime.value === '0' ? {} : { expiresAt: Date.now() + Number(lifetime.value) * DAY }) }),
  });
  if (issued) {
    await openNotice(text('console.tokens.issuedTitle', { name: issued.name }),
      copyField('issued-token', text('console.tokens.token'), issued.token), el('p', {}, text('console.tokens.once')));
    reload('');
  }
}

/** @param {string} name */
async function revoke(name) {
  if (await confirm(text('console.tokens.revokeTitle', { name }), text('console.tokens.revokeText'), text('console.tokens.revokeButton'),
    () => call(`${TOKENS}/${segment(name)}`, 'DELETE'))) {
    reload(text('console.tokens.wasRevoked', { name }));
  }
}

export const showOperators = () => show(() => view(''));
