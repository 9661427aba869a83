// SPDX-License-Identifier: Apache-2.0
// One user in the console: passkeys, sessions, audit trail and actions.

import { browserOf, isOnSecurityKey, loadProviders, providerOf, withTitles } from '/porchlight/passkey-names.js';
import { ApiError, call, query, textOf } from './console-api.js';
import { codeText, known } from './console-format.js';
import { backLink, labeled, panel } from './console-panels.js';
import { find } from './console-search.js';
import { erase, invite, lock, readUser, removePasskey, signOut, unlock } from './console-user-actions.js';
import { stateBadge } from './console-user-rows.js';
import { breakable, byId, el } from './dom.js';
import { numberText, parts, text, texts } from './texts.js';
import { timeOf } from './times.js';

const AUDIT_PAGE = 25;
/** Actions whose reason is a code also if they succeed, and not an operator. */
const CEREMONIES = ['login', 'registration', 'logout'];
const providers = loadProviders();
/** The number of the latest view, so that late responses of earlier ones are dropped. */
let latest = 0;

/** @param {string} userId @param {string} [done] what was done, to announce */
export async function showUser(userId, done = '') {
  const number = ++latest;
  const view = byId('user');
  try {
    const [user, audit] = await Promise.all([readUser(userId), auditPage(userId), providers]);
    if (number === latest) {
      view.replaceChildren(back(), ...userPanels(user, audit, done));
      byId('user-title').focus({ preventScroll: done !== '' });
    }
  } catch (error) {
    if (number === latest) {
      view.replaceChildren(back(), el('p', { class: 'message bad', role: 'alert' }, error instanceof ApiError && error.status === 404 ? text('console.user.unknown') : textOf(error)));
    }
  }
}

const back = () => backLink('users', text('console.user.back'));

/** @param {any} user @param {any} audit @param {string} done */
function userPanels(user, audit, done) {
  const passkeys = withTitles(texts, user.credentials);
  return [
    headPanel(user, done),
    el('div', { class: 'columns' }, passkeyPanel(user.userId, passkeys), sessionPanel(user.sessions, passkeys)),
    auditPanel(user.userId, audit),
  ];
}

/** @param {any} user @param {string} done */
function headPanel(user, done) {
  const { userId } = user;
  const lastSignIn = Math.max(user.lastUsedAt ?? 0, ...user.sessions.map((/** @type {any} */ session) => session.authTime));
  const alert = el('div', { class: 'message bad', role: 'alert' });
  /** @param {string} label @param {() => Promise<unknown>} work false if canceled @param {string} text @param {string} [style] */
  const action = (label, work, text, style = '') => el('button', {
    type: 'button', class: `small ${style}`,
    click: async () => {
      try {
        alert.textContent = '';
        if (await work() !== false) {
          await showUser(userId, text);
        }
      } catch (error) {
        alert.textContent = textOf(error);
      }
    },
  }, label);
  const eraseButton = el('button', { type: 'button', class: 'small', click: async () => await erase(userId) && showErased(userId) }, text('console.user.erase'));
  return el('section', { class: 'card panel', 'aria-labelledby': 'user-title' },
    el('div', { class: 'between' },
      el('h2', { id: 'user-title', tabindex: -1 }, ...breakable(userId)), stateBadge(user)),
    user.displayName && user.displayName !== userId ? el('p', { class: 'soft' }, user.displayName) : undefined,
    el('p', { class: 'soft' }, ...signInText(lastSignIn, user.credentials), ...(user.enrollmentPending ? [' ', text('console.user.pending')] : [])),
    el('div', { class: 'message good', role: 'status' }, ...(done === '' ? [] : [done])), alert,
    el('div', { class: 'actions' },
      action(text('console.user.invite'), () => invite(userId), text('console.user.invited')),
      action(text('console.user.signOut'), () => signOut(userId), text('console.user.signedOut')),
      user.locked
        ? action(text('console.user.unlock'), () => unlock(userId), text('console.user.unlocked'))
        : action(text('console.user.lock'), () => lock(userId), text('console.user.locked')),
      eraseButton,
      el('button', { type: 'button', class: 'small quiet', click: () => find(userId) }, text('console.user.ceremonies'))));
}

/** Nothing for a user without passkeys, because sign-ins are recorded with the passkey. @param {number} time 0 if unknown @param {any[]} passkeys */
function signInText(time, passkeys) {
  if (time === 0) {
    return passkeys.length === 0 ? [] : [text('console.user.notSignedIn')];
  }
  return parts('console.user.lastSignIn', { time: timeOf(time) });
}

/** @param {string} userId */
function showErased(userId) {
  byId('user').replaceChildren(back(), el('p', { class: 'message good', role: 'status', id: 'user-title', tabindex: -1 }, text('console.user.erased', { user: userId })));
  byId('user-title').focus();
}

/** @param {string} userId @param {any[]} passkeys */
function passkeyPanel(userId, passkeys) {
  return panel('passkeys-title', text('console.user.passkeys', { number: numberText(passkeys.length) }), passkeys.length === 0 ? text('console.user.noPasskeys') : el('ul', { class: 'items' }, ...passkeys.map((passkey) => {
    const { title, createdAt, lastUsedAt } = passkey;
    const kind = [providerOf(passkey) === title ? '' : providerOf(passkey), storedIn(passkey)].filter(Boolean).map((part) => `${part}. `);
    return el('li', { 'data-credential-id': passkey.credentialId },
      el('div', {}, el('p', { class: 'item-title' }, title),
        el('p', { class: 'soft' }, ...kind, ...(createdAt === undefined ? [] : [...parts('account.created', { time: timeOf(createdAt) }), '. ']),
          ...(lastUsedAt === undefined ? [text('account.notUsed')] : parts('account.lastUsed', { time: timeOf(lastUsedAt) })), '.')),
      el('button', {
        type: 'button', class: 'small', 'aria-label': text('account.removeLabel', { passkey: title }),
        click: async () => await removePasskey(userId, passkey, passkeys.length === 1) && showUser(userId, text('account.removed', { passkey: title })),
      }, text('console.user.remove')));
  })));
}

/** @param {any} passkey */
function storedIn(passkey) {
  return passkey.backedUp === undefined ? '' : text(passkey.backedUp ? 'account.synced' : isOnSecurityKey(passkey) ? 'console.user.onKey' : passkey.backupEligible ? 'account.notSynced' : 'console.user.onDevice');
}

/** @param {any[]} sessions @param {any[]} passkeys */
function sessionPanel(sessions, passkeys) {
  return panel('user-sessions-title', text('console.user.sessions', { number: numberText(sessions.length) }), sessions.length === 0 ? text('console.user.noSessions') : el('ul', { class: 'items' }, ...sessions.map((session) => {
    const passkey = passkeys.find(({ credentialId }) => credentialId === session.credentialId);
    return el('li', {}, el('div', {},
      el('p', { class: 'item-title', title: session.userAgent }, browserOf(texts, session.userAgent)),
      el('p', { class: 'soft' }, ...parts(passkey ? 'console.user.sessionWith' : 'account.session', { since: timeOf(session.authTime), until: timeOf(session.expiresAt), passkey: passkey?.title }))));
  })));
}

/** @param {string} userId @param {string} [after] @returns {Promise<any>} */
const auditPage = (userId, after) => call(`/admin/audit${query({ userId, after, limit: AUDIT_PAGE })}`);

/** @param {string} userId @param {{ events: any[], next?: string }} first */
function auditPanel(userId, first) {
  const columns = ['time', 'action', 'result', 'reason', 'correlationId'].map((name) => text(`console.audit.${name}`));
  const rowsOf = (/** @type {any[]} */ events) => events.map((event) => labeled(columns, auditRow(event)));
  const rows = el('tbody', {}, ...rowsOf(first.events));
  const scrolled = el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-labelledby': 'user-audit-title' },
    el('table', { class: 'list' }, el('thead', {}, el('tr', {}, ...columns.map((name) => el('th', { scope: 'col' }, name)))), rows));
  let next = first.next;
  const status = el('p', { class: 'soft', role: 'status' });
  const more = el('button', {
    type: 'button', class: 'quiet small', hidden: next === undefined,
    click: async () => {
      try {
        const page = await auditPage(userId, next);
        const added = rowsOf(page.events);
        rows.append(...added);
        (added[0]?.querySelector('button') ?? scrolled).focus();
        next = page.next;
        more.hidden = next === undefined;
      } catch (error) {
        status.textContent = textOf(error);
      }
    },
  }, text('console.more'));
  return panel('user-audit-title', text('console.audit.title'), first.events.length === 0 ? text('console.audit.none') : scrolled, more, status);
}

/** @param {any} event */
function auditRow({ at, action, outcome, reason, correlationId }) {
  const words = known(`console.action.${action}`, action);
  return el('tr', { 'data-action': action },
    el('td', {}, timeOf(at)),
    el('th', { scope: 'row' }, words[0].toUpperCase() + words.slice(1)),
    el('td', { class: outcome === 'ok' ? 'corner' : 'corner bad-text' }, codeText(outcome)),
    el('td', {}, outcome !== 'ok' || CEREMONIES.includes(action) ? codeText(reason) : reason),
    el('td', {}, correlationId === '' ? '' : el('button', { type: 'button', class: 'link', click: () => find(correlationId) }, correlationId.slice(0, 13))));
}
