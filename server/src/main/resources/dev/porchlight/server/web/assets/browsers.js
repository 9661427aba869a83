// SPDX-License-Identifier: Apache-2.0

/** The first that fits is it: most browsers claim to be others, too. @type {[RegExp, string][]} */
const BROWSERS = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

/** @type {[RegExp, string][]} */
const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/Linux/, 'Linux'],
];

/** @param {string} userAgent @returns {string} such as `Firefox on Windows`; something is always said */
export function browserOf(userAgent) {
  const named = (/** @type {[RegExp, string][]} */ list) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const browser = named(BROWSERS) ?? (userAgent.split(/[\s/]/, 1)[0] || 'An application');
  const system = named(SYSTEMS);
  return system ? `${browser} on ${system}` : browser;
}
