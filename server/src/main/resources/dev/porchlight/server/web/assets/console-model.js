// SPDX-License-Identifier: Apache-2.0
// What the console knows: the page is rendered from it.

import { Period, tally } from './period.js';

const MAX_SAMPLES = 750;
/** Browser results after which the prompt was certainly visible. */
const PROMPTED = ['dismissed', 'timeout', 'authenticator', 'duplicate'];

/** @param {any[]} list @param {Record<string, string>} [like] counts only entries with these values */
const sum = (list, like = {}) =>
  list.filter((item) => Object.entries(like).every(([key, value]) => item[key] === value)).reduce((total, { count }) => total + count, 0);

/** The samples of a time range, with the ceremonies. */
class CeremonyPeriod extends Period {
  get operations() {
    return this.samples.flatMap(({ operations }) => operations);
  }

  get refusals() {
    return tally(this.operations.filter(({ reason, outcome }) => reason && outcome !== 'ok'), 'reason');
  }

  /** Registrations that also signed the user in. */
  get #signUps() {
    return sum(this.operations, { operation: 'registration', reason: 'signed_in' });
  }

  /** Sign-ins by result. */
  get signIns() {
    const [succeeded, refused, failed] = ['ok', 'refused', 'failed'].map((outcome) => sum(this.operations, { operation: 'login', outcome }));
    return { succeeded: succeeded + this.#signUps, refused, failed };
  }

  /** @param {number} number @returns {CeremonyPeriod[]} equal parts */
  split(number) {
    const step = (this.to - this.from) / number;
    return Array.from({ length: number }, (_, i) => new CeremonyPeriod(this.samples, this.from + i * step + 1, this.from + (i + 1) * step));
  }

  /** How many ceremonies reached each step. Options for autofill count when they are used. @param {string} kind */
  funnel(kind) {
    const signUps = kind === 'login' ? this.#signUps : 0;
    const finished = sum(this.operations, { operation: kind }) + signUps;
    const succeeded = sum(this.operations, { operation: kind, outcome: 'ok' }) + signUps;
    const issued = this.operations.filter(({ reason }) => reason !== 'autofill');
    const options = Math.max(sum(issued, { operation: `${kind}_options`, outcome: 'ok' }) + signUps, finished);
    const reports = this.samples.flatMap(({ browser }) => browser).filter(({ ceremony }) => ceremony === kind);
    const prompted = finished + sum(reports.filter(({ outcome }) => PROMPTED.includes(outcome)));
    const errors = tally(reports.filter(({ outcome }) => outcome !== 'ok'), 'outcome');
    return { options, prompted: Math.min(options, prompted), finished, succeeded, errors };
  }
}

export class ConsoleModel {
  isLocked = true;
  connection = 'connecting';
  /** The item is empty in the list of a view. */
  view = { name: '', item: '' };
  /** @type {any[]} oldest first */
  samples = [];
  /** @type {any[]} latest first */
  ceremonies = [];
  /** Of the ceremonies. Each sample has the current one. */
  revision = -1;
  /** Whether all ceremonies are shown, rather than a page of them. */
  showsAll = false;

  /** @param {Record<string, string>} choices of the operator, by the name of the control */
  constructor(choices) {
    this.choices = choices;
  }

  /** @param {any} sample */
  add(sample) {
    if (sample.t > (this.last?.t ?? 0)) {
      this.samples = [...this.samples, sample].slice(-MAX_SAMPLES);
    }
  }

  get last() {
    return this.samples.at(-1);
  }

  /** The chosen time range. */
  get period() {
    return new CeremonyPeriod(this.samples, this.last.t - Number(this.choices.window) * 60000, this.last.t);
  }

  /** The ceremonies in the chosen state. Pending ones are hidden among others: most are autofill that was offered and not used. */
  get chosen() {
    return this.ceremonies.filter(({ state }) => (this.choices.state === 'ended' ? state !== 'pending' : state === this.choices.state));
  }
}
