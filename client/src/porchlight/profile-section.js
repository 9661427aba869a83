// SPDX-License-Identifier: Apache-2.0
// The profile of the signed-in user, and the form that changes it.

import * as account from './account.js';
import { el } from './dom.js';
import { MEMBERS, labelOf, languageName, profileField, readFields } from './profile-fields.js';

/**
 * @typedef {import('./account.js').Profile} Profile
 * @typedef {import('./element.js').PorchlightElement} Host
 */

/** What a user does with the profile. @param {import('./account-view.js').AccountView['actions']} host */
export function profileActions(host) {
  const save = changes =>
    host.attempt(async () => {
      const saved = await host.ceremony(account.changeProfile(changes, host.prompting), { again: () => save(changes) });
      if (!saved) return;
      host.profile = saved;
      await host.loadSessions(); // a prompt renews the session
      const { email = '', canVerify } = saved;
      host.done(host.text(changes.email && canVerify ? 'profile.linkSent' : 'profile.changed', { email }), 'profile');
    });
  const verify = () =>
    host.attempt(async () => {
      await account.sendEmailLink(host.access);
      host.done(host.text('profile.linkSent', { email: host.profile?.email ?? '' }), 'profile');
    });
  const confirm = token =>
    host.attempt(async () => {
      host.profile = await account.verifyEmail(token, host.access);
      host.done(host.text('profile.emailVerified', { email: host.profile.email ?? '' }), 'profile');
    });
  return { save, verify, confirm };
}

/**
 * Shows a profile in a section, which is hidden if there is nothing to show or change.
 * @param {Host} host
 * @param {HTMLElement} section
 * @param {Profile | undefined} profile
 * @param {{ level: number, save: (changes: Record<string, string | null>) => void, verify: () => void }} options
 */
export function showProfile(host, section, profile, { level, save, verify }) {
  const facts = profile ? factsOf(host, profile, verify) : [];
  section.hidden = !profile || facts.length + profile.editable.length === 0;
  if (!profile || section.hidden) return;
  const change = () => {
    section.lastChild?.replaceWith(form(host, profile, save, () => {
      showProfile(host, section, profile, { level, save, verify });
      host.find('#change-profile').focus();
    }));
    button.hidden = true;
    host.find('#profile-form [data-member]').focus();
  };
  const button = host.button('profile.change', { id: 'change-profile', class: 'small', icon: 'pencil', hidden: profile.editable.length === 0, click: change });
  section.replaceChildren(
    el('div', { class: 'head' }, el(`h${level}`, { id: 'profile-title', tabindex: -1 }, host.text('profile.title')), button),
    facts.length === 0 ? el('p', { class: 'soft' }, host.text('profile.none')) : el('dl', { id: 'profile-facts', class: 'profile' }, ...facts),
  );
}

/** @param {Host} host @param {Profile} profile @param {() => void} verify @returns {HTMLElement[]} names and values */
function factsOf(host, profile, verify) {
  const fact = (name, ...value) => [el('dt', {}, name), el('dd', { dir: 'auto' }, ...value)];
  const verified = el('span', { class: 'badge' }, host.text(profile.emailVerified ? 'profile.verified' : 'profile.notVerified'));
  const button = profile.canVerify ? [' ', host.button('profile.verify', { id: 'verify-email', class: 'small', click: verify })] : [];
  const claims = Object.entries(profile.claims ?? {});
  return [
    ...MEMBERS.filter(member => profile[member]).map(member =>
      fact(labelOf(host, member), member === 'locale' ? languageName(host, profile.locale ?? '') : profile[member], ...(member === 'email' ? [' ', verified, ...button] : [])),
    ),
    ...claims.map(([name, value]) => fact(name, [value].flat().join(', '))),
  ].flat();
}

/** @param {Host} host @param {Profile} profile @param {(changes: Record<string, string | null>) => void} save @param {() => void} close */
function form(host, profile, save, close) {
  const submit = event => {
    event.preventDefault();
    const values = readFields(host, event.target);
    if (!values) return;
    const changed = Object.entries(values).filter(([member, value]) => value !== (profile[member] ?? ''));
    if (changed.length === 0) close();
    else save(Object.fromEntries(changed.map(([member, value]) => [member, value || null])));
  };
  return el(
    'form',
    { id: 'profile-form', part: 'form', class: 'profile-form', novalidate: true, submit },
    ...MEMBERS.filter(member => profile.editable.includes(member)).map(member => profileField(host, member, { value: profile[member] })),
    el('div', { class: 'actions' }, host.button('profile.save', { type: 'submit', class: 'small primary' }), host.button('common.cancel', { id: 'cancel-profile', class: 'small', click: close })),
  );
}
