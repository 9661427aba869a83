// SPDX-License-Identifier: Apache-2.0
// What the account element shows: the user, passkeys, sessions and applications.

import { el } from './dom.js';
import { PorchlightElement } from './element.js';
import { applicationRow, passkeyCard, sessionRow } from './passkey-card.js';
import { backupAdvice, browserOf, withTitles } from './passkey-names.js';
import { OtherWays } from './other-ways.js';
import { profileActions, showProfile } from './profile-section.js';

/** Builds the account from its fields. The subclass has the actions. */
export class AccountView extends PorchlightElement {
  userId = '';
  /** @type {import('./account.js').Passkey[]} */
  passkeys = [];
  /** @type {import('./account.js').Profile | undefined} */
  profile;
  /** @type {import('./passkey-card.js').Session[]} */
  sessions = [];
  /** @type {import('./passkey-card.js').Application[]} */
  applications = [];
  /** @type {import('./account.js').Recovery | undefined} */
  recovery;

  /** The methods of the subclass. @returns {any} */
  get actions() {
    return this;
  }

  /** The level of the title. Those of passkeys and sections are below it. */
  get level() {
    return Number(this.getAttribute('heading') ?? 2);
  }

  build() {
    const level = this.level;
    const small = { class: 'small' };
    const heading = (id, key) => el(`h${level + 1}`, { id, tabindex: -1 }, this.text(key));
    const section = (name, key, ...more) =>
      el('section', { id: name, class: 'stack', 'aria-labelledby': `${name}-title`, hidden: true }, el('div', { class: 'head' }, heading(`${name}-title`, key), ...more), el('ul', { id: `${name.slice(0, -1)}-list`, class: 'rows' }));
    this.user = el('span', { id: 'signed-in-as', part: 'user' });
    this.header = el('div', { id: 'signed-in', part: 'header', class: 'signed-in', hidden: true }, this.user, this.button('common.signOut', { ...small, id: 'sign-out', icon: 'leave', click: () => this.actions.signOut() }));
    this.heading = el(`h${level}`, { id: 'title', tabindex: -1 }, this.text('account.title'));
    this.addButton = this.button('account.add', { id: 'add-passkey', class: 'primary', icon: 'plus', hidden: true, click: () => this.actions.add() });
    this.notices = el('div', { id: 'added', class: 'stack' });
    this.list = el('ul', { id: 'passkeys', part: 'list', class: 'cards' });
    this.advice = el('div', { id: 'backup-advice', class: 'message' });
    this.profileSection = el('section', { id: 'profile', class: 'stack', 'aria-labelledby': 'profile-title', hidden: true });
    const everywhere = this.button('account.everywhere', { ...small, id: 'sign-out-everywhere', click: () => this.actions.signOutEverywhere() });
    this.sessionSection = section('sessions', 'account.sessions', everywhere);
    this.applicationSection = section('applications', 'account.applications');
    this.ways = new OtherWays(this);
    this.content = el('section', { id: 'content', class: 'stack', 'aria-labelledby': 'title', hidden: true }, this.ways.notice, this.notices, this.ways.link, this.list, this.advice, this.ways.codes, this.profileSection, this.sessionSection, this.applicationSection);
    const head = el('div', { class: 'head' }, this.heading, el('div', { class: 'actions' }, this.addButton, this.ways.linkButton));
    return el('div', { part: 'account', class: 'stack' }, this.header, head, this.status, this.alert, this.content);
  }

  setState(state, code = '') {
    return (this.addButton.disabled = this.ways.linkButton.disabled = super.setState(state, code));
  }

  /** Shows the account, or nothing if no user is signed in. */
  render() {
    for (const part of [this.header, this.content, this.addButton]) part.hidden = !this.userId;
    this.ways.linkButton.hidden = !this.userId || !this.hasAttribute('devices');
    if (!this.userId) return;
    const level = this.level + 1;
    const { texts } = this;
    const { key, tone } = backupAdvice(this.passkeys);
    const user = el('strong', {}, el('bdi', {}, this.userId));
    this.user.replaceChildren(...texts.parts('account.user', { user }));
    this.list.replaceChildren(
      ...this.titled.map(passkey =>
        passkeyCard(this, passkey, { level, rename: name => this.actions.rename(passkey, name), remove: () => this.actions.confirmRemoval(passkey) }),
      ),
    );
    this.fill(this.advice, this.text(key), tone);
    showProfile(this, this.profileSection, this.profile, { level, ...profileActions(this.actions) });
    this.ways.render();
    this.sessionSection.hidden = this.sessions.length === 0;
    this.sessionSection.lastChild.replaceChildren(...this.sessions.map(one => sessionRow(this, one, () => this.actions.endSession(one))));
    this.applicationSection.hidden = this.applications.length === 0;
    this.applicationSection.lastChild.replaceChildren(...this.applications.map(one => applicationRow(this, one, () => this.actions.revoke(one))));
    for (const notice of this.notices.children) {
      if (!this.card(notice.dataset.added)) notice.remove(); // the passkey was removed
    }
  }

  /** Asks whether to remove a passkey. Returns `remove`, `force`, `add` for another one, or an empty string. */
  askRemoval(passkey, last) {
    return this.ask(
      last
        ? {
            title: this.text('account.lastTitle'),
            message: this.text('account.lastText'),
            choices: [
              { value: 'add', label: this.text('account.addAnother'), type: 'primary' },
              { value: 'force', label: this.text('account.removeAnyway'), type: 'danger' },
            ],
          }
        : {
            title: this.text('account.removeTitle', { passkey: passkey.title }),
            message: this.text('account.removeText'),
            choices: [{ value: 'remove', label: this.text('account.remove'), type: 'danger' }],
          },
    );
  }

  /** Offers a passkey on this device, after a sign-in with another one. @param {() => void} close */
  showOffer(close) {
    const decline = () => {
      this.emit('offer-declined');
      close();
    };
    this.showStatus(this.text('account.offer'), {
      choices: [
        { label: this.text('account.createHere'), id: 'add-here', run: () => this.actions.add() },
        { label: this.text('account.noThanks'), id: 'decline', run: decline },
      ],
    });
  }

  get titled() {
    return withTitles(this.texts, this.passkeys);
  }

  /** Shows a notice for each passkey that was added since the user last signed in with the current one. */
  announce() {
    const added = this.titled.filter(passkey => passkey.newSinceLastLogin);
    this.notices.replaceChildren(
      ...added.map(passkey => {
        const { credentialId, createdAt, importedAt, userAgent } = passkey;
        const notice = el('div', { class: 'message', role: 'status', 'data-added': credentialId });
        const date = new Intl.DateTimeFormat(this.language, { dateStyle: 'long' }).format(importedAt ?? createdAt ?? 0);
        const sentence = userAgent
          ? this.text('account.newPasskeyFrom', { date, browser: browserOf(this.texts, userAgent) })
          : this.text('account.newPasskey', { date });
        this.fill(notice, sentence, 'warn', [
          { label: this.text('account.wasMe'), run: () => notice.remove() },
          { label: this.text('account.removeIt'), run: () => this.actions.confirmRemoval(passkey) },
        ]);
        return notice;
      }),
    );
  }

  card(credentialId) {
    return this.find(`[data-credential-id="${CSS.escape(credentialId)}"]`);
  }
}
