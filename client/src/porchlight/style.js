// SPDX-License-Identifier: Apache-2.0
// The style of the elements in their shadow roots. A page with its own stylesheet uses the attribute unstyled.

const STYLE = `
  :host {
    display: block;
    line-height: 1.5;
    --_accent: var(--porchlight-accent, #1d4f91);
    --_on-accent: var(--porchlight-on-accent, #fff);
    --_error: var(--porchlight-error, #b3261e);
    --_border: var(--porchlight-border, #6f7479);
    --_radius: var(--porchlight-radius, 0.5rem);
    --_gap: var(--porchlight-gap, 0.75rem);
  }
  @supports (color: light-dark(#000, #fff)) {
    :host {
      --_accent: var(--porchlight-accent, light-dark(#1d4f91, #a8c7fa));
      --_on-accent: var(--porchlight-on-accent, light-dark(#fff, #0a2a52));
      --_error: var(--porchlight-error, light-dark(#b3261e, #f9b4ae));
      --_border: var(--porchlight-border, light-dark(#6f7479, #92979c));
    }
  }
  :host([hidden]), [hidden] { display: none !important; }
  form, .stack, .field, .body, .cards, .passkey, .facts { display: grid; gap: var(--_gap); }
  form, .signin { max-inline-size: 24rem; }
  .actions, .head, .signed-in, .row, .top, .beside { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
  .head, .signed-in, .row { justify-content: space-between; }
  .facts { gap: 0.25rem; }
  .beside > input { flex: 1; }
  .stack:empty { display: none; }
  p, ul, h1, h2, h3, h4 { margin: 0; padding: 0; list-style: none; overflow-wrap: anywhere; }
  h1, h2, h3, h4 { font-size: 1.125rem; }
  label, .browser { font-weight: 600; }
  button, input, select {
    box-sizing: border-box;
    min-block-size: 2.75rem;
    padding: 0.5rem 0.875rem;
    font: inherit;
    color: inherit;
    background: transparent;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
  }
  input, select { inline-size: 100%; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; margin: 0; overflow-wrap: anywhere; }
  dd { margin: 0; }
  input[aria-invalid='true'] { border-color: var(--_error); }
  button { display: inline-flex; gap: 0.5rem; align-items: center; justify-content: center; cursor: pointer; overflow-wrap: anywhere; }
  button:disabled { cursor: default; opacity: 0.6; }
  .primary { color: var(--_on-accent); background: var(--_accent); border-color: var(--_accent); font-weight: 600; }
  .link { min-block-size: 1.5rem; padding: 0; border: 0; color: var(--_accent); text-decoration: underline; }
  .small { min-block-size: 2.25rem; padding: 0.25rem 0.75rem; }
  .danger, .message.bad, [aria-invalid='true'] ~ .hint { color: var(--_error); }
  .card, .row, .message { padding: 0.875rem; border: 1px solid var(--_border); border-radius: var(--_radius); }
  .rows, .cards, .signed-in { margin-block: 0.5rem; }
  .message { display: grid; grid-template-columns: auto 1fr; gap: 0.75rem; }
  .message:empty { position: absolute; padding: 0; border: 0; }
  .message.bad { border-color: currentcolor; }
  .icon { flex: none; inline-size: 1.25em; block-size: 1.25em; fill: none; stroke: currentcolor; stroke-width: 1.75; }
  .badge { display: inline-flex; gap: 0.375rem; align-items: center; }
  dialog { max-inline-size: 28rem; padding: 1.5rem; border: 1px solid var(--_border); border-radius: var(--_radius); }
  dialog .actions { margin-block-start: 1.25rem; }
  summary { min-block-size: 1.5rem; cursor: pointer; }
  :focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
  [tabindex='-1']:focus { outline: none; }
`;

/** @type {CSSStyleSheet[]} */
const sheets = [];

/**
 * Created with the first element that needs it: Safari before 16.4 cannot, and the service's own pages do not.
 *
 * @returns {CSSStyleSheet[]}
 */
export function styles() {
  if (sheets.length === 0) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    sheets.push(sheet);
  }
  return sheets;
}
