// @vitest-environment happy-dom
import { createElement } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { type Rendered, rendered } from '../../../testing/rendered.ts';
import { store } from '../../lib/storage.ts';
import { Summary } from './Summary.tsx';

const userId = 'a user';
const hourMs = 3_600_000;

describe('Summary', () => {
  let page: Rendered | undefined;
  afterEach(async () => {
    await page?.remove();
    localStorage.clear();
  });

  const totals = { valueUsd: '120.5', unrealisedUsd: '-7.25', realisedUsd: '31' };
  const shown = async (properties: Partial<Parameters<typeof Summary>[0]> = {}) => {
    await page?.remove();
    page = await rendered(createElement(Summary, { totals, own: undefined, userId, ...properties }));
    return [...page.element.querySelectorAll('dl > div')].map((part) => part.textContent ?? '');
  };
  const lookedAt = (worthUsd: string): void =>
    store(`look ${userId}`, { now: { atMs: Date.now() - hourMs, worthUsd }, before: null });
  const balances = (...usd: (string | null)[]) =>
    ({ balances: usd.map((balance) => ({ usd: { balance } })) }) as unknown as Parameters<typeof Summary>[0]['own'];

  it('default: what it is worth, and what was gained and lost, with their signs', async () => {
    const [worth, unrealised, realised] = await shown();
    expect(worth).toContain('$120.50');
    expect(unrealised).toContain('−$7.25');
    expect(realised).toContain('+$31.00');
  });

  it('behavior: what it became since the visit before: more, less, the same', async () => {
    lookedAt('100');
    expect((await shown())[0]).toContain('+$20.50');
    lookedAt('150');
    expect((await shown())[0]).toContain('−$29.50');
    lookedAt('120.5');
    expect((await shown())[0]).not.toMatch(/[+−]\$/);
  });

  it('behavior: dollars of all chains that answered; none that did is not nothing', async () => {
    expect((await shown({ own: balances('1.5', '2') }))[3]).toContain('$3.50');
    expect((await shown({ own: balances('1.5', null) }))[3]).toContain('$1.50');
    expect((await shown({ own: balances(null) }))[3]).not.toContain('$');
    expect((await shown({ own: balances() }))[3]).toContain('$0.00');
  });
});
