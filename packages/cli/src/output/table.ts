import Table from 'cli-table3';
import { onOutput as colours } from './colours.ts';
import { plain } from './plain.ts';

/** A cell: text of anybody, and how it is coloured. Empty where there is nothing to say; unknown is never shown as zero. */
export type Cell = string | number | null | undefined | { text: string; tone: Tone };
export type Tone = 'up' | 'down' | 'dim' | 'bold';

const tones: Record<Tone, (text: string) => string> = {
  up: colours.green,
  down: colours.red,
  dim: colours.dim,
  bold: colours.bold,
};

const longestCell = 48;

/** Every cell is made harmless here, so that no command has to think of it. */
const shown = (cell: Cell): string => {
  if (cell === null || cell === undefined) return colours.dim('–');
  const { text, tone } = typeof cell === 'object' ? cell : { text: String(cell), tone: null };
  const harmless = plain(text);
  return tone === null ? harmless : tones[tone](harmless);
};

const cut = (cell: Cell): Cell => {
  if (typeof cell !== 'string') return cell;
  const letters = [...cell];
  return letters.length > longestCell ? `${letters.slice(0, longestCell - 1).join('')}…` : cell;
};

const bare = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: '  ',
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};

export interface Column<Row> {
  head: string;
  /** Numbers stand on the right. */
  isNumber?: boolean;
  of(row: Row): Cell;
}

/** Rows under heads. */
export const table = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string => {
  if (rows.length === 0) return colours.dim('None.');
  const drawn = new Table({
    ...bare,
    head: columns.map(({ head }) => colours.dim(head)),
    colAligns: columns.map(({ isNumber }) => (isNumber ? 'right' : 'left')),
  });
  for (const row of rows) drawn.push(columns.map(({ of }) => shown(cut(of(row)))));
  return trimmed(drawn.toString());
};

/** What is said of one thing, a line each; a name that repeats the one above is left out. */
export const facts = (lines: readonly (readonly [name: string, value: Cell, more?: Cell])[]): string => {
  const drawn = new Table(bare);
  let above = '';
  for (const [name, value, more] of lines) {
    drawn.push([colours.dim(name === above ? '' : plain(name)), shown(value), more === undefined ? '' : shown(more)]);
    above = name;
  }
  return trimmed(drawn.toString());
};

const trimmed = (text: string): string => text.replaceAll(/[ \t]+$/gm, '');
