// SPDX-License-Identifier: Apache-2.0
// Ways to a passkey on another device, as parts of the account element: a link with its QR code, and recovery codes.

import { request } from '../porchlight.js';
import { addDevice, cancelRecovery, createRecoveryCodes, recovery } from './account.js';
import { countDown } from './countdown.js';
import { el } from './dom.js';
import { timeOf } from './times.js';

/** Seconds that a link is valid. Counted from its arrival, because the clocks of browser and service may differ. */
const LIFETIME = 600;
/** Seconds between checks whether the other device has registered its passkey. */
const CHECK = 5;

const bare = code => code.toUpperCase().replace(/[^0-9A-Z]/g, '');

export class OtherWays {
  #host;

  /** @param {any} host the account element */
  constructor(host) {
    this.#host = host;
    this.notice = el('div', { id: 'recovery-notice' });
    this.link = el('div', { id: 'device', class: 'card stack', hidden: true });
    this.linkButton = host.button('account.addDevice', { id: 'add-device', icon: 'phone', hidden: true, click: () => this.addDevice() });
    const create = host.button('account.createCodes', { id: 'create-codes', class: 'small', icon: 'key', click: () => this.#create() });
    this.state = el('p', { class: 'soft' });
    this.list = el('div', { id: 'recovery-codes', class: 'card stack', hidden: true });
    const heading = el(`h${host.level + 1}`, { id: 'recovery-title', tabindex: -1 }, host.text('account.codes'));
    this.codes = el('section', { id: 'recovery', class: 'stack', 'aria-labelledby': 'recovery-title', hidden: true },
      el('div', { class: 'head' }, heading, create), el('p', { class: 'soft' }, host.text('account.codesText')), this.state, this.list);
  }

  async load() {
    if (this.#host.hasAttribute('recovery')) this.#host.recovery = await recovery(this.#host.access);
  }

  render() {
    const { available = false, remaining, createdAt, startedAt, validFrom, newSinceLastLogin } = this.#host.recovery ?? {};
    const { texts } = this.#host;
    const date = time => new Intl.DateTimeFormat(texts.language, { dateStyle: 'long', timeStyle: 'short' }).format(time);
    this.codes.hidden = !available;
    this.state.replaceChildren(...(createdAt
      ? texts.parts('account.codesLeft', { number: new Intl.NumberFormat(texts.language).format(remaining ?? 0), time: timeOf(texts, createdAt) })
      : [texts.text('account.noCodes')]));
    this.notice.replaceChildren();
    if (startedAt) {
      this.#notify(texts.text('account.recoveryStarted', { date: date(startedAt), until: date(validFrom) }), 'bad', [['account.cancelRecovery', 'cancel-recovery', () => this.#cancel()]]);
    } else if (newSinceLastLogin) {
      const dismiss = () => {
        this.#host.recovery = { ...this.#host.recovery, newSinceLastLogin: false };
        this.render();
      };
      this.#notify(texts.text('account.newCodes', { date: date(createdAt) }), 'warn', [['account.wasMe', 'codes-were-me', dismiss], ['account.replaceCodes', 'replace-codes', () => this.#create()]]);
    }
  }

  #notify(sentence, tone, choices) {
    const message = el('div', { class: 'message', role: 'status' });
    this.#host.fill(message, sentence, tone, choices.map(([key, id, run]) => ({ label: this.#host.text(key), id, run })));
    this.notice.replaceChildren(message);
  }

  /** Runs an action that may prompt for the passkey. @param {(options: any) => Promise<any>} action @param {(result: any) => void} show @param {() => void} again */
  #run(action, show, again) {
    return this.#host.attempt(async () => {
      this.#host.clearMessages();
      this.#host.setState('prompt');
      const result = await this.#host.ceremony(action(this.#host.prompting), { again });
      if (result) await show(result);
    });
  }

  addDevice() {
    this.#close();
    return this.#run(addDevice, ({ url, qr }) => this.#showLink(url, qr), () => this.addDevice());
  }

  #close() {
    this.link.hidden = true;
    this.link.replaceChildren();
  }

  async #showLink(url, qr) {
    const host = this.#host;
    const picture = el('img', { id: 'device-qr', src: `data:image/svg+xml,${encodeURIComponent(qr)}`, alt: host.text('account.deviceQr'), width: 240, height: 240 });
    const field = el('input', { id: 'device-link', part: 'input', readonly: true, dir: 'ltr', value: url, 'aria-label': host.text('account.deviceLink') });
    const left = el('p', { id: 'device-left', class: 'soft' });
    const close = () => {
      this.#close();
      this.linkButton.focus();
    };
    this.link.replaceChildren(
      el('p', { id: 'device-text', tabindex: -1 }, host.text('account.deviceText')), picture, field, left,
      el('div', { class: 'actions' }, this.#copyButton(() => url), host.button('account.close', { id: 'close-device', class: 'small', click: close })));
    this.link.hidden = false;
    host.reset();
    this.link.firstChild.focus();
    const relative = new Intl.RelativeTimeFormat(host.language);
    await countDown(LIFETIME, seconds => {
      if (!left.isConnected) return;
      const time = seconds > 60 ? relative.format(Math.ceil(seconds / 60), 'minute') : relative.format(seconds, 'second');
      left.textContent = host.text('account.deviceExpires', { time });
      if (seconds % CHECK === 0 && !document.hidden) this.#check(left);
    });
    if (!left.isConnected) return;
    this.#close();
    host.showStatus(host.text('account.deviceExpired'), { choices: [{ label: host.text('account.newLink'), id: 'new-link', run: () => this.addDevice() }] });
  }

  /** Shows the passkey that the other device has registered. */
  async #check(left) {
    const host = this.#host;
    const { passkeys } = await request('/auth/passkey/credentials', { token: host.token }).catch(() => host);
    const isNew = ({ credentialId }) => !host.passkeys.some(known => known.credentialId === credentialId);
    if (!left.isConnected || !passkeys.some(isNew)) return;
    this.#close();
    await host.attempt(async () => {
      await host.loadPasskeys();
      host.done(host.text('account.deviceAdded'));
      host.heading.focus();
    });
  }

  /** @param {() => string} content */
  #copyButton(content) {
    const host = this.#host;
    if (!navigator.clipboard) return undefined;
    const button = host.button('account.copy', { class: 'small copy', click: () => navigator.clipboard.writeText(content()).then(() => (button.textContent = host.text('account.copied')), () => {}) });
    return button;
  }

  async #create() {
    const host = this.#host;
    const choices = [{ value: 'replace', label: host.text('account.replaceCodes'), type: 'primary' }];
    const replaces = (host.recovery?.remaining ?? 0) > 0;
    if (replaces && !(await host.ask({ title: host.text('account.replaceTitle'), message: host.text('account.replaceText'), choices }))) return;
    const create = () => this.#run(createRecoveryCodes, async ({ codes }) => {
      await this.load();
      this.render();
      this.#showCodes(codes);
    }, create);
    await create();
  }

  /** Shows the codes until the user types one of them, so that they are kept. @param {string[]} codes */
  #showCodes(codes) {
    const host = this.#host;
    const owner = `${location.host} · ${host.userId}`;
    const content = () => `${owner}\n\n${codes.join('\n')}\n`;
    const download = () => el('a', { href: URL.createObjectURL(new Blob([content()], { type: 'text/plain' })), download: 'recovery-codes.txt' }).click();
    const hint = el('p', { id: 'typed-code-hint', class: 'hint', role: 'alert' });
    const typed = el('input', { id: 'typed-code', part: 'input', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', 'aria-describedby': 'typed-code-hint' });
    const submit = event => {
      event.preventDefault();
      const kept = codes.some(code => bare(code) === bare(typed.value));
      hint.textContent = kept ? '' : host.text('account.wrongCode');
      typed.setAttribute('aria-invalid', String(!kept));
      if (!kept) return typed.focus();
      this.list.hidden = true;
      this.list.replaceChildren();
      host.done(host.text('account.codesKept'));
      return this.codes.querySelector('#recovery-title').focus();
    };
    this.list.replaceChildren(
      el('p', { id: 'codes-once', tabindex: -1 }, host.text('account.codesOnce')),
      el('p', { id: 'codes-owner' }, el('bdi', {}, owner)),
      el('ol', { dir: 'ltr', class: 'codes' }, ...codes.map(code => el('li', {}, el('code', {}, code)))),
      el('div', { class: 'actions' }, this.#copyButton(content), host.button('account.print', { class: 'small', click: () => print() }), host.button('account.download', { id: 'download-codes', class: 'small', click: download })),
      el('form', { part: 'form', class: 'stack', novalidate: true, submit }, el('label', { for: 'typed-code', part: 'label' }, host.text('account.typeCode')), typed, hint, host.button('account.confirmCode', { id: 'codes-kept', type: 'submit', class: 'primary' })));
    this.list.hidden = false;
    host.reset();
    this.list.firstChild.focus();
  }

  #cancel() {
    const host = this.#host;
    return host.attempt(async () => {
      await cancelRecovery(host.access);
      await this.load();
      host.done(host.text('account.recoveryCanceled'));
      host.heading.focus();
    });
  }
}
