import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blockedText, readBlockedText } from './blockedText.ts';

const { holds } = blockedText({
  words: ['Scam', 'free money', 'идиот', 'clown|face', 'ICO'],
  hosts: ['evil.example', 'https://Bad.Example/path', 'bücher.example', 'shop.good.example'],
});

describe('blockedText', () => {
  it.each([
    ['the word', 'This is a scam.'],
    ['in any case', 'SCAM'],
    ['in another case, of a letter that is another one when large', 'the ico is near'],
    ['in Cyrillic, in another case', 'ИДИОТ'],
    ['with letters of another script', 'a ѕсаm'],
    ['with letters in circles', 'ⓢⓒⓐⓜ'],
    ['with letters in squares', '🅂🄲🄰🄼'],
    ['in mathematical bold', '𝐬𝐜𝐚𝐦'],
    ['with marks', 's̈c̈äm'],
    ['with characters between that nobody sees', 's\u200bc\u00ada\u2060m'],
    ['with digits in the place of letters', 'IC0 now'],
    ['between underscores', 'get_scam_here'],
    ['between signs', '#scam!'],
    ['between signs that look like letters', 'no|scam|here'],
    ['words that follow each other', 'Free   MONEY for all'],
    ['words with a sign between', 'free-money'],
    ['words on two lines', 'free\nmoney'],
    ['a word that is written with a sign', 'clown|face'],
  ])('default: a text holds %s', (_what, text) => {
    expect(holds(text)).toBe(true);
  });

  it.each([
    ['with its scheme', 'https://evil.example/a?b=c'],
    ['without a scheme', 'go to evil.example now'],
    ['in any case', 'EVIL.Example'],
    ['below it', 'http://www.login.evil.example:8080'],
    ['at the end of a sentence', 'It is evil.example.'],
    ['in brackets', '(evil.example)'],
    ['behind a name', 'https://good.example@evil.example'],
    ['with characters between that nobody sees', 'evil\u200b.exam\u00adple'],
    ['with a full stop of another script', 'evil。example'],
    ['in wide letters', 'ｅｖｉｌ．example'],
    ['written in hex', 'https://ev%69l%2eexample/'],
    ['with signs of other slashes', String.raw`https:\\evil.example`],
    ['as a value', 'https://good.example/?to=https://evil.example'],
    ['that the list gives with its scheme', 'bad.example'],
    ['in letters beyond ASCII', 'bücher.example'],
    ['as browsers write these', 'xn--bcher-kva.example'],
    ['below another that is not blocked', 'a.shop.good.example'],
  ])('default: a text holds a link %s', (_what, text) => {
    expect(holds(text)).toBe(true);
  });

  it.each([
    'scampi and scamper',
    'telescam',
    'moneyfree, free the money',
    'free and money',
    'notevil.example',
    'evil.example.org',
    'good.example and my.good.example',
    'evil example',
    'The end.Begin',
    'идиотка',
    '',
    '...',
    '%%% 100%',
  ])('default: %s holds none', (text) => {
    expect(holds(text)).toBe(false);
  });

  it('default: without lists everything is taken', () => {
    expect(blockedText({ words: [], hosts: [] }).holds('scam https://evil.example')).toBe(false);
  });

  it('behavior: a long text of nothing but what could begin a match is read', () => {
    expect(holds('free '.repeat(400) + 'money')).toBe(true);
    expect(holds('a.'.repeat(1_000))).toBe(false);
    expect(holds('%'.repeat(2_000))).toBe(false);
  });

  it('error: an entry that stands for nothing', () => {
    expect(() => blockedText({ words: ['***'], hosts: [] })).toThrow('"***"');
    expect(() => blockedText({ words: [], hosts: ['localhost'] })).toThrow('"localhost"');
  });
});

describe('readBlockedText', () => {
  const folder = mkdtempSync(join(tmpdir(), 'blocked-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('default: one entry a line, without empty lines and remarks', () => {
    const blockedWordsFile = file('words', '# what we do not take\r\nscam\r\n\n  free money  \n');
    const blockedLinksFile = file('links', 'evil.example\n#good.example\n');
    const { holds: found } = readBlockedText({ blockedWordsFile, blockedLinksFile });
    expect(['a scam', 'free money', 'evil.example', 'what we do not take', 'good.example'].map(found)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('error: a file that is not there is named by its variable', () => {
    expect(() => readBlockedText({ blockedWordsFile: join(folder, 'none'), blockedLinksFile: null })).toThrow(
      'The file of BLOCKED_WORDS_FILE cannot be read',
    );
  });
});
