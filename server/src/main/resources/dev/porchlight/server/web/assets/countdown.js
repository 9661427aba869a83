// SPDX-License-Identifier: Apache-2.0

/**
 * Counts seconds down, by the clock: a page that slept is not late.
 * @param {number} seconds
 * @param {(left: number) => void} tick called with each whole second that is left, the first time at once
 * @returns {Promise<void>} settles when none is left
 */
export function countDown(seconds, tick) {
  const end = Date.now() + seconds * 1000;
  return new Promise((resolve) => {
    const step = () => {
      const left = Math.ceil((end - Date.now()) / 1000);
      if (left <= 0) {
        resolve();
      } else {
        tick(left);
        setTimeout(step, (end - Date.now()) % 1000 || 1000);
      }
    };
    step();
  });
}
