import { poolTypeBySlug, totalSupply } from '@mintage/protocol';
import { describe, expect, it } from 'vitest';
import { dollarsIn, emptyDraft, problemsOf } from './draft.ts';
import { startCap } from './startCap.ts';

describe('the form of a creation', () => {
  const picture = { uri: 'data:image/png;base64,', name: 'a.png', bytes: 1, width: 1, height: 1 };
  const good = { ...emptyDraft, name: 'Fern', symbol: 'FERN', description: 'It grows.' };

  it('says what is missing or wrong', () => {
    expect(problemsOf(emptyDraft, null)).toEqual({
      picture: 'missing',
      name: 'missing',
      symbol: 'missing',
      description: 'missing',
    });
    expect(problemsOf(good, picture)).toEqual({});
    const links = { ...good.links, website: 'javascript:alert(1)' };
    expect(problemsOf({ ...good, links }, picture)).toEqual({ links: 'notALink' });
    expect(problemsOf({ ...good, name: '🌿'.repeat(32) }, picture)).toEqual({});
    expect(problemsOf({ ...good, name: '🌿'.repeat(33) }, picture)).toEqual({ name: 'tooLong' });
    expect(problemsOf({ ...good, firstBuy: 'after', buyUsd: '1e3' }, picture)).toEqual({ buyUsd: 'notAnAmount' });
    expect(['0', '0.5', '1.1234567', '12', '1,5', '-1', '1,125', ''].map(dollarsIn)).toEqual([
      null,
      '0.5',
      null,
      '12',
      '1.5',
      null,
      null,
      null,
    ]);
  });

  it('shows the market cap that a curve begins with', () => {
    for (const slug of ['meme', 'startup-preseed', 'test'] as const) {
      const { virtualUsd, virtualTokens } = poolTypeBySlug(slug);
      expect(BigInt(startCap[slug])).toBe((virtualUsd * totalSupply) / virtualTokens);
    }
  });
});
