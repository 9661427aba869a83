// SPDX-License-Identifier: Apache-2.0
// Time series plots as SVG. The data is also available as text, in the legend and in a table.

import { clock } from './plot-format.js';
import { el } from './dom.js';
import { text } from './texts.js';

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 150;
const MARGIN = { top: 18, right: 10, bottom: 22, left: 50 };
const GRID_LINES = 4;
const TABLE_ROWS = 12;
/** Lines are interrupted where samples are missing for longer than this. */
const GAP_MS = 20000;

/**
 * @typedef {{ name: string, look: string, values: (number | null)[] }} Series
 * @typedef {{ times: number[], series: Series[], from: number, to: number, kind?: 'lines' | 'areas' | 'columns', format: (value: number) => string, minTop?: number, step?: number, unit?: string }} Content
 */

/** @param {string} tag @param {Record<string, string | number>} attributes */
function shape(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  return element;
}

/** @param {number} value @returns {number} the next larger round number */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((step) => step >= value) ?? 10 * power;
}

/** @param {number} duration @param {number} most @returns {number} a round number of minutes, in milliseconds */
function tickStep(duration, most) {
  const minutes = [1, 2, 5, 10, 15, 30].find((step) => duration / (step * 60000) <= most) ?? 60;
  return minutes * 60000;
}

/** A plot in a `<figure data-plot>` element with a heading. */
export class Plot {
  /** @param {HTMLElement} figure */
  constructor(figure) {
    this.svg = shape('svg', { class: 'plot', 'aria-hidden': 'true', height: HEIGHT });
    this.legend = el('ul', { class: 'legend' });
    this.table = el('details', { class: 'as-table', toggle: () => this.fillTable() }, el('summary', {}, text('console.plots.table')));
    figure.append(this.legend, this.svg, this.table);
    this.svg.addEventListener('pointermove', (event) => this.point(event.offsetX));
    this.svg.addEventListener('pointerleave', () => this.point(undefined));
    new ResizeObserver(() => this.draw()).observe(this.svg);
    /** @type {Content | undefined} */
    this.content = undefined;
    this.title = figure.querySelector('h3')?.textContent ?? '';
  }

  /** @param {Content} content */
  show(content) {
    this.content = content;
    this.draw();
    this.fillTable();
  }

  draw() {
    const width = this.svg.clientWidth;
    const content = this.content;
    if (!content || width === 0) {
      return;
    }
    this.svg.setAttribute('viewBox', `0 0 ${width} ${HEIGHT}`);
    const layers = stacked(content);
    const highest = Math.max(content.minTop ?? 0, ...layers.flatMap((layer) => layer.map(([, high]) => high ?? 0)));
    const top = content.step ? content.step * GRID_LINES * Math.ceil(highest / (content.step * GRID_LINES)) : highest > 0 ? roundUp(highest) : 1;
    const scale = {
      x: (/** @type {number} */ time) =>
        MARGIN.left + ((time - content.from) / (content.to - content.from)) * (width - MARGIN.left - MARGIN.right),
      y: (/** @type {number} */ value) => HEIGHT - MARGIN.bottom - (value / top) * (HEIGHT - MARGIN.top - MARGIN.bottom),
      top,
    };
    this.svg.replaceChildren(...this.axes(scale, width), ...layers.flatMap((layer, i) => this.layer(layer, i, scale)));
    this.cursor = shape('line', { class: 'cursor', y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom, visibility: 'hidden' });
    this.svg.append(this.cursor);
    this.scale = scale;
    this.point(undefined);
  }

  /** @param {any} scale @param {number} width */
  axes(scale, width) {
    const { from, to, format, unit } = /** @type {Content} */ (this.content);
    const parts = [];
    for (let i = 0; i <= GRID_LINES; i++) {
      const value = (scale.top * i) / GRID_LINES;
      const y = scale.y(value);
      parts.push(shape('line', { class: i === 0 ? 'base' : 'grid', x1: MARGIN.left, x2: width - MARGIN.right, y1: y, y2: y }));
      if (i % 2 === 0) {
        const label = shape('text', { x: MARGIN.left - 6, y: y + 4, 'text-anchor': 'end' });
        label.textContent = format(value);
        parts.push(label);
      }
    }
    if (unit) {
      const label = shape('text', { x: MARGIN.left, y: 10 });
      label.textContent = unit;
      parts.push(label);
    }
    const step = tickStep(to - from, width < 420 ? 3 : 5);
    for (let time = Math.ceil(from / step) * step; time <= to; time += step) {
      const x = scale.x(time);
      const anchor = x < MARGIN.left + 18 ? 'start' : x > width - MARGIN.right - 18 ? 'end' : 'middle';
      const label = shape('text', { x, y: HEIGHT - 5, 'text-anchor': anchor });
      label.textContent = clock(time);
      parts.push(label);
    }
    return parts;
  }

  /** @param {[number, number | null][]} layer @param {number} index @param {any} scale */
  layer(layer, index, scale) {
    const { times, series, kind, from } = /** @type {Content} */ (this.content);
    const look = series[index].look;
    if (kind === 'columns') {
      const step = times.length > 1 ? scale.x(times[1]) - scale.x(times[0]) : 8;
      return layer.flatMap(([low, high], i) =>
        high === null || high === low
          ? []
          : [shape('rect', { class: `area ${look}`, x: scale.x(times[i]) - step + 1, y: scale.y(high), width: Math.max(1, step - 1), height: scale.y(low) - scale.y(high) })]);
    }
    const points = kind === 'areas' && index > 0 ? hideZeros(layer) : layer;
    return segments(times, points, from).flatMap((segment) => {
      const line = segment.map(([time, , high]) => `${scale.x(time).toFixed(1)},${scale.y(high).toFixed(1)}`);
      const drawn = [shape('polyline', { class: `line ${look}`, points: line.join(' ') })];
      if (kind === 'areas') {
        const back = [...segment].reverse().map(([time, low]) => `${scale.x(time).toFixed(1)},${scale.y(low).toFixed(1)}`);
        drawn.unshift(shape('polygon', { class: `area ${look}`, points: [...line, ...back].join(' ') }));
      }
      return drawn;
    });
  }

  /** Shows the values under the pointer, or the latest values. @param {number | undefined} x */
  point(x) {
    const content = this.content;
    if (!content || !this.scale || !this.cursor) {
      return;
    }
    let at = content.times.length - 1;
    if (x !== undefined) {
      const distance = (/** @type {number} */ i) => Math.abs(this.scale.x(content.times[i]) - x);
      for (let i = 0; i < content.times.length; i++) {
        at = distance(i) < distance(at) ? i : at;
      }
    }
    const shown = x !== undefined && at >= 0;
    this.cursor.setAttribute('visibility', shown ? 'visible' : 'hidden');
    if (shown) {
      const place = String(this.scale.x(content.times[at]));
      this.cursor.setAttribute('x1', place);
      this.cursor.setAttribute('x2', place);
    }
    this.legend.replaceChildren(...content.series.map((series) =>
      el('li', { class: series.look }, el('span', { class: 'swatch', 'aria-hidden': 'true' }), `${series.name} `,
        el('b', {}, number(series.values[at], content.format)))),
      el('li', { class: 'when' }, shown ? clock(content.times[at]) : text('console.plots.now')));
  }

  fillTable() {
    const content = this.content;
    if (!content || !this.table.open) {
      return;
    }
    const every = Math.max(1, Math.floor(content.times.length / TABLE_ROWS));
    const rows = [];
    for (let i = content.times.length - 1; i >= 0 && rows.length < TABLE_ROWS; i -= every) {
      rows.push(el('tr', {}, el('th', { scope: 'row' }, clock(content.times[i])),
        ...content.series.map((series) => el('td', {}, number(series.values[i], content.format)))));
    }
    const head = el('tr', {}, el('th', { scope: 'col' }, text('console.plots.time')), ...content.series.map((series) => el('th', { scope: 'col' }, series.name)));
    const table = el('table', {}, el('caption', { class: 'visually-hidden' }, this.title), el('thead', {}, head), el('tbody', {}, ...rows));
    this.table.replaceChildren(this.table.firstElementChild, table);
  }
}

/** @param {number | null | undefined} value @param {(value: number) => string} format */
const number = (value, format) => (value === null || value === undefined ? '–' : format(value));

/** Returns the lower and upper edge of each series: from zero, or stacked on the previous series. @param {Content} content @returns {[number, number | null][][]} */
function stacked({ series, kind, times }) {
  const base = times.map(() => 0);
  return series.map(({ values }) =>
    values.map((value, i) => {
      const low = kind === 'lines' || kind === undefined ? 0 : base[i];
      const high = value === null ? null : low + value;
      base[i] = kind === 'lines' || high === null ? base[i] : high;
      return [low, high];
    }));
}

/** Hides a stacked layer where it is zero. @param {[number, number | null][]} layer @returns {[number, number | null][]} */
function hideZeros(layer) {
  const isVisible = (/** @type {number} */ i) => layer[i] !== undefined && layer[i][1] !== null && layer[i][1] !== layer[i][0];
  return layer.map(([low, high], i) => [low, isVisible(i - 1) || isVisible(i) || isVisible(i + 1) ? high : null]);
}

/** Splits a layer at gaps. @param {number[]} times @param {[number, number | null][]} layer @param {number} from */
function segments(times, layer, from) {
  /** @type {[number, number, number][][]} */
  const all = [];
  let last = -Infinity;
  layer.forEach(([low, high], i) => {
    if (high === null || times[i] < from) {
      last = -Infinity;
      return;
    }
    if (times[i] - last > GAP_MS) {
      all.push([]);
    }
    all[all.length - 1].push([times[i], low, high]);
    last = times[i];
  });
  return all;
}

/**
 * Shows one strip per health check: green while up, red while down, empty without samples.
 * @param {HTMLElement} list @param {string[]} names @param {any[]} samples @param {number} from @param {number} to
 */
export function showStrips(list, names, samples, from, to) {
  list.replaceChildren(...names.map((name) => {
    const svg = shape('svg', { class: 'strip', 'aria-hidden': 'true', viewBox: '0 0 1000 10', preserveAspectRatio: 'none' });
    for (const part of periods(name, samples)) {
      const x = (1000 * (Math.max(part.from, from) - from)) / (to - from);
      const width = Math.max(2, (1000 * (part.to - from)) / (to - from) - x);
      svg.append(shape('rect', { class: part.status, x, y: 0, width, height: 10 }));
    }
    const now = samples.at(-1)?.health[name];
    const downs = periods(name, samples).filter((part) => part.status === 'down');
    const statusText = now === undefined ? text('console.health.unknown') : now === 'up' && downs.length === 0 ? text('console.health.up') : now === 'up'
      ? text('console.health.wasDown', { time: clock(downs[downs.length - 1].to) }) : text('console.health.downSince', { time: clock(downs[downs.length - 1].from) });
    return el('li', { 'data-check': name, 'data-status': now ?? 'unknown' },
      el('span', { class: 'check-name' }, name), el('span', { class: 'check-status' }, statusText), svg);
  }));
}

/** @param {string} name @param {any[]} samples @returns {{ status: string, from: number, to: number }[]} */
function periods(name, samples) {
  /** @type {{ status: string, from: number, to: number }[]} */
  const all = [];
  for (const sample of samples) {
    const status = sample.health[name];
    const last = all[all.length - 1];
    if (status === undefined) {
      continue;
    }
    if (last && last.status === status && sample.t - last.to <= GAP_MS) {
      last.to = sample.t;
    } else {
      all.push({ status, from: last && sample.t - last.to <= GAP_MS ? last.to : sample.t - sample.ms, to: sample.t });
    }
  }
  return all;
}
