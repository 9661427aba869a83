// SPDX-License-Identifier: Apache-2.0
// Rows of the audit log.

import { call, query } from './console-api.js';
import { codeText, known } from './console-format.js';
import { find } from './console-search.js';
import { linkTo } from './console-views.js';
import { el } from './dom.js';
import { numberText } from './texts.js';
import { timeOf } from './times.js';

/** A user who is known and not erased. */
const USER = /^(?!porchlight:)./;

/** @param {Record<string, string | number | undefined>} filter @returns {Promise<import('openapi').AuditEvents>} */
export const listAudit = async (filter) => call(`/admin/audit${query(filter)}`);

/** @param {string} code of an action @returns {string} */
export function actionText(code) {
  const words = known(`console.action.${code}`, code);
  return words[0].toUpperCase() + words.slice(1);
}

/** @param {string} user */
const userCell = (user) => el('td', {}, USER.test(user) ? el('a', { href: linkTo('users', user), dir: 'auto' }, user) : el('span', { class: 'soft' }, user));

/** @param {import('openapi').AuditEvents['events'][number]} event @param {boolean} [people] whether user and operator have a cell */
export function auditRow({ at, action, userId, outcome, reason, operator, clientId, group, changed, further, correlationId }, people = false) {
  const details = [...reason.split(' ').map((each) => each && codeText(each)), clientId, group, ...changed, people ? '' : operator, further && numberText(further)];
  return el('tr', { 'data-action': action },
    el('td', {}, timeOf(at)),
    el('th', { scope: 'row' }, actionText(action.replace('_summary', ''))),
    ...(people ? [userCell(userId), el('td', { dir: 'auto' }, operator)] : []),
    el('td', { class: outcome === 'ok' ? 'corner' : 'corner bad-text' }, codeText(outcome)),
    el('td', {}, details.filter(Boolean).join(', ')),
    el('td', {}, correlationId === '' ? '' : el('button', { type: 'button', class: 'link', click: () => find(correlationId) }, correlationId.slice(0, 13))));
}
