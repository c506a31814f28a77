import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { terminalLine } from './terminalLine.ts';

const time = Date.parse('2030-01-01T12:34:56Z');
const clock = new Date(time).toTimeString().slice(0, 8);
const line = (fields: object): string =>
  stripVTControlCharacters(
    terminalLine(`${JSON.stringify({ level: 40, time, pid: 1, hostname: 'here', ...fields })}\n`),
  );

describe('terminalLine', () => {
  it('default: time, level, sentence, fields', () => {
    expect(line({ msg: 'The chain is late.', slug: 'base', head: 12, ids: ['a'] })).toBe(
      `${clock} warn  The chain is late. slug=base head=12 ids=["a"]\n`,
    );
  });

  it('behavior: strangers’ text moves no cursor, and makes no line of its own', () => {
    const text = 'a\u001b[2J\nb';
    expect(line({ msg: text, text, err: { stack: `Error: ${text}` } })).toBe(
      `${clock} warn  a\\u{001b}[2J\\u{000a}b text=a\\u{001b}[2J\\u{000a}b\n    Error: a\\u{001b}[2J\n    b\n`,
    );
  });

  it('behavior: neither turns a stranger’s text the writing, nor hides in it', () => {
    expect(line({ msg: 'a\u202eb\u200bc\u2028d\u{e0041}' })).toBe(
      `${clock} warn  a\\u{202e}b\\u{200b}c\\u{2028}d\\u{e0041}\n`,
    );
  });

  it('behavior: an error stands below, with its cause; a line may have no sentence', () => {
    expect(line({ level: 50, err: { message: 'no', stack: 'Error: no\n  at here' }, msg: 'It failed.' })).toBe(
      `${clock} error It failed.\n    Error: no\n      at here\n`,
    );
    const err = { type: 'E', message: 'no', stack: 'Error: no', code: '23505', at: { row: 7 } };
    expect(line({ level: 50, err, msg: 'It failed.' })).toBe(
      `${clock} error It failed.\n    Error: no\n    code=23505\n    at={"row":7}\n`,
    );
    expect(line({ level: 50, err: 'odd', msg: 7 })).toBe(`${clock} error 7\n    "odd"\n`);
    expect(line({ msg: 'x', a: { b: '\u009b2J' } })).toBe(`${clock} warn  x a={"b":"\\u{009b}2J"}\n`);
    expect(line({ level: 35, port: 1 })).toBe(`${clock} info  port=1\n`);
  });
});
