// SPDX-License-Identifier: Apache-2.0
// The address to go to after a sign-in.

/**
 * Returns the `return_to` parameter if the service allows it. The checks repeat those of the service, because browsers parse
 * addresses more liberally.
 * @param {string} search the query of the page's address
 * @param {boolean} allowed whether the service allows the parameter
 * @returns {string | undefined}
 */
export function returnTo(search, allowed) {
  const values = new URLSearchParams(search).getAll('return_to');
  const [value] = values;
  const isWebAddress = value !== undefined && /^(\/(?!\/)|https?:\/\/)[!-~]*$/i.test(value) && !value.includes('\\');
  return allowed && values.length === 1 && isWebAddress ? value : undefined;
}
