// SPDX-License-Identifier: Apache-2.0

/**
 * Counts down seconds by the clock, so that a suspended page is not late.
 * @param {number} seconds
 * @param {(left: number) => void} tick called immediately, then once per second, with the seconds left
 * @returns {Promise<void>} resolves at zero
 */
export function countDown(seconds, tick) {
  const end = Date.now() + seconds * 1000;
  return new Promise(resolve => {
    const step = () => {
      const left = Math.ceil((end - Date.now()) / 1000);
      if (left <= 0) return resolve();
      tick(left);
      return setTimeout(step, (end - Date.now()) % 1000 || 1000);
    };
    step();
  });
}
