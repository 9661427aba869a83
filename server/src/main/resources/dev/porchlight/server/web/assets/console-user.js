// SPDX-License-Identifier: Apache-2.0
// One user in the console: passkeys, sessions, audit trail and actions.

import { browserOf, isOnSecurityKey, loadProviders, providerOf, withTitles } from '/porchlight/passkey-names.js';
import { ApiError } from './console-api.js';
import { auditRow, listAudit } from './console-audit-rows.js';
import { addMember, removeMember } from './console-group-actions.js';
import { actionButtons, backLink, doneMessage, errorMessage, listPanel, mainPanel, pagedTable, panel } from './console-panels.js';
import { profilePanel } from './console-profile.js';
import { find } from './console-search.js';
import { erase, invite, lock, readUser, removeCodes, removePasskey, signOut, unlock } from './console-user-actions.js';
import { known as namesOf, stateBadge } from './console-user-rows.js';
import { linkTo } from './console-views.js';
import { breakable, el } from './dom.js';
import { numberText, parts, text, texts } from './texts.js';
import { timeOf } from './times.js';

const AUDIT_PAGE = 25;
const SIGN_INS = 200;

/** @typedef {{ reload: (done: string) => void, erased: () => void }} Events */

/** @param {...(Node | undefined)} content */
const view = (...content) => [el('div', { id: 'user', class: 'view' }, backLink('users', text('console.user.back')), ...content)];

/** @param {string} userId @param {string} done what was done, to announce @param {Events} events @returns {Promise<HTMLElement[]>} the content of the view */
export async function userView(userId, done, events) {
  try {
    const [user, audit, signIns] = await Promise.all([readUser(userId), auditPage(userId), signInRows(userId), loadProviders()]);
    const passkeys = withTitles(texts, user.passkeys);
    return view(
      headPanel(user, done, events),
      el('div', { class: 'columns' }, passkeyPanel(userId, passkeys, events), sessionPanel(user.sessions, passkeys)),
      el('div', { class: 'columns' }, profilePanel(user, events), applicationPanel(signIns.events)),
      groupPanel(user, events),
      auditPanel(userId, audit));
  } catch (error) {
    return view(errorMessage(error instanceof ApiError && error.status === 404 ? text('console.user.unknown') : error));
  }
}

/** @param {string} userId */
export const erasedView = async (userId) =>
  view(el('p', { class: 'message good', role: 'status', id: 'user-title', tabindex: -1 }, text('console.user.erased', { user: userId })));

/** @param {import('openapi').UserDetails} user @param {string} done @param {Events} events */
function headPanel(user, done, { reload, erased }) {
  const { userId } = user;
  const lastSignIn = Math.max(user.lastUsedAt ?? 0, ...user.sessions.map((session) => session.authTime));
  return mainPanel('user-title', breakable(userId), stateBadge(user),
    user.role === undefined ? undefined : el('p', {}, el('span', { class: 'badge' }, text(`console.role.${user.role}`))),
    ...namesOf(user).slice(0, 1).map((name) => el('p', { class: 'soft' }, name)),
    el('p', { class: 'soft' }, ...signInText(lastSignIn, user.passkeys), ...(user.enrollmentPending ? [' ', text('console.user.pending')] : []),
      ...(user.recoveryCodes > 0 ? [' ', text('console.user.codes', { number: numberText(user.recoveryCodes) })] : [])),
    doneMessage(done),
    ...actionButtons(
      [text('console.user.invite'), () => invite(userId), () => reload(text('console.user.invited')), '', 'support'],
      [text('console.user.signOut'), () => signOut(userId), () => reload(text('console.user.signedOut')), '', 'support'],
      user.locked
        ? [text('console.user.unlock'), () => unlock(userId), () => reload(text('console.user.unlocked')), '', 'manage']
        : [text('console.user.lock'), () => lock(userId), () => reload(text('console.user.locked')), '', 'manage'],
      ...(user.recoveryCodes > 0 ? [/** @type {any} */ ([text('console.user.removeCodes'), () => removeCodes(userId), () => reload(text('console.user.codesRemoved')), '', 'manage'])] : []),
      [text('console.user.erase'), () => erase(userId), erased, '', 'manage'],
      [text('console.user.ceremonies'), () => find(userId), () => {}, 'quiet']));
}

/** Nothing for a user who never signed in and has no passkey. @param {number} time 0 if unknown @param {any[]} passkeys */
function signInText(time, passkeys) {
  if (time === 0) {
    return passkeys.length === 0 ? [] : [text('console.user.notSignedIn')];
  }
  return parts('console.user.lastSignIn', { time: timeOf(time) });
}

/** @param {string} userId @param {any[]} passkeys @param {Events} events */
function passkeyPanel(userId, passkeys, { reload }) {
  const remove = async (/** @type {any} */ passkey) =>
    await removePasskey(userId, passkey, passkeys.length === 1) && reload(text('account.removed', { passkey: passkey.title }));
  return listPanel('user-passkeys', text('console.user.passkeys', { number: numberText(passkeys.length) }), passkeys, (passkey) => {
    const { title, createdAt, lastUsedAt } = passkey;
    const kind = [providerOf(passkey) === title ? '' : providerOf(passkey), storedIn(passkey)].filter(Boolean).map((part) => `${part}. `);
    return el('li', { 'data-credential-id': passkey.credentialId },
      el('div', {}, el('p', { class: 'item-title' }, ...modelIcon(passkey), title),
        el('p', { class: 'soft' }, ...kind, ...(createdAt === undefined ? [] : [...parts('account.created', { time: timeOf(createdAt) }), '. ']),
          ...(lastUsedAt === undefined ? [text('account.notUsed')] : parts('account.lastUsed', { time: timeOf(lastUsedAt) })), '.')),
      el('button', { type: 'button', class: 'small', 'data-needs': 'manage', 'aria-label': text('account.removeLabel', { passkey: title }), click: () => remove(passkey) }, text('console.user.remove')));
  }, text('console.user.noPasskeys'));
}

/** @param {any} passkey */
function modelIcon({ authenticator }) {
  const src = authenticator?.icon;
  return src?.startsWith('data:image/png;') ? [el('img', { src, alt: '', height: 16 }), ' '] : [];
}

/** @param {any} passkey */
function storedIn(passkey) {
  return passkey.backedUp === undefined ? '' : text(passkey.backedUp ? 'account.synced' : isOnSecurityKey(passkey) ? 'console.user.onKey' : passkey.backupEligible ? 'account.notSynced' : 'console.user.onDevice');
}

/** @param {any[]} sessions @param {any[]} passkeys */
function sessionPanel(sessions, passkeys) {
  return listPanel('user-sessions', text('console.user.sessions', { number: numberText(sessions.length) }), sessions, (session) => {
    const passkey = passkeys.find(({ credentialId }) => credentialId === session.credentialId);
    return el('li', {}, el('div', {},
      el('p', { class: 'item-title', title: session.userAgent }, browserOf(texts, session.userAgent)),
      el('p', { class: 'soft' }, ...parts(passkey ? 'console.user.sessionWith' : 'account.session', { since: timeOf(session.authTime), until: timeOf(session.expiresAt), passkey: passkey?.title }))));
  }, text('console.user.noSessions'));
}

/** @param {import('openapi').UserDetails} user @param {Events} events */
function groupPanel({ userId, groups }, { reload }) {
  const add = async () => {
    const added = await addMember(undefined, userId);
    if (added) {
      reload(text('console.groups.wasAdded', added));
    }
  };
  const remove = async (/** @type {string} */ group) =>
    await removeMember(group, userId) && reload(text('console.groups.wasRemoved', { user: userId, group }));
  const list = listPanel('user-groups', text('console.user.groups', { number: numberText(groups.length) }), groups, (/** @type {string} */ group) =>
    el('li', { 'data-group': group },
      el('a', { href: linkTo('groups', group), dir: 'auto' }, group),
      el('button', { type: 'button', class: 'small', 'data-needs': 'manage', 'aria-label': text('console.user.leaveLabel', { group }), click: () => remove(group) }, text('console.user.remove'))), text('console.user.noGroups'));
  list.append(el('div', {}, el('button', { type: 'button', id: 'join-group', class: 'small', 'data-needs': 'manage', click: add }, text('console.user.join'))));
  return list;
}

/** @param {string} userId @returns {Promise<import('openapi').AuditEvents>} the latest sign-ins to applications */
const signInRows = (userId) => listAudit({ userId, action: 'client_authorize', limit: SIGN_INS });

/** The applications of the latest sign-ins, the newest first. @param {import('openapi').AuditEvents['events']} events */
function applicationPanel(events) {
  const latest = new Map(events.filter(({ outcome }) => outcome === 'ok').reverse().map(({ clientId, at }) => [clientId, at]));
  const items = [...latest].sort(([, one], [, other]) => other - one);
  return listPanel('user-applications', text('console.user.applications', { number: numberText(items.length) }), items, ([clientId, at]) =>
    el('li', {}, el('a', { href: linkTo('clients', clientId), dir: 'auto' }, clientId), el('span', { class: 'soft' }, timeOf(at))), text('console.user.noApplications'));
}

/** @param {string} userId @param {string} [after] */
const auditPage = (userId, after) => listAudit({ userId, after, limit: AUDIT_PAGE });

/** @param {string} userId @param {import('openapi').AuditEvents} first */
function auditPanel(userId, first) {
  const columns = ['time', 'action', 'result', 'details', 'correlationId'].map((name) => text(`console.audit.${name}`));
  const { list, more, status } = pagedTable(columns, first, ({ events }) => events.map((event) => auditRow(event)), (after) => auditPage(userId, after));
  return panel('user-audit-title', text('console.audit.title'), first.events.length === 0
    ? text('console.audit.none')
    : el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-labelledby': 'user-audit-title' }, list), more, status);
}
