import type { SignedCreation, SigningContext } from '@mintage/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOffLoop, type OffLoop } from './offLoop.ts';

const signing: SigningContext = { platformName: 'Mintage', signatureChainId: 1n, nonce: 1, expiresAfter: 60_000 };
/** Takes another thread a while to hash. */
const creation: SignedCreation = {
  name: 'A',
  symbol: 'AA',
  description: 'a',
  image: `data:image/png;base64,${'A'.repeat(1_000_000)}`,
  chainSlug: 'base-sepolia',
};
const body = (): ArrayBuffer => new TextEncoder().encode(`{"image":"data:${'A'.repeat(300_000)}"}`).buffer;

describe('createOffLoop', () => {
  let offLoop: OffLoop;
  let done: string[];
  const note = async (name: string, work: Promise<unknown>): Promise<void> => {
    await work;
    done.push(name);
  };
  const digest = (name: string, gone?: AbortSignal) => {
    const address = name.charAt(0);
    const signer = { owner: address, address, ...(gone && { gone }) };
    return note(name, offLoop.digestsOfCreation(signer, signing, 'Testnet', creation));
  };
  beforeEach(() => {
    [offLoop, done] = [createOffLoop(), []];
  });
  afterEach(() => offLoop.close());

  it('H1 who is proved by a credential waits for nothing that is done for whom nothing proves', async () => {
    const flood = Promise.all(['a1', 'b1', 'c1', 'd1', 'e1'].map((name) => digest(name)));
    const sender = { owner: 'user', address: 'z' };
    await note('parsed', offLoop.parseBody({ ...sender, isProved: true }, body()));
    await note('hashed', offLoop.hashOfJson(sender, creation));
    expect(done.indexOf('hashed')).toBeLessThanOrEqual(3);
    await flood;
    expect(done).toHaveLength(7);
  });

  it('H1 whom nothing proves takes turns by address', async () => {
    await Promise.all(['a1', 'a2', 'a3', 'b1'].map((name) => digest(name)));
    expect(done).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('H1 what waits for somebody who hung up is not begun', async () => {
    const gone = new AbortController();
    const first = digest('a1');
    const dropped = digest('a2', gone.signal);
    gone.abort();
    await expect(dropped).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(done).toEqual([]);
    await first;
  });

  it('behavior: the hash of an input depends on what it says, and not on the order of its keys', async () => {
    const hashOf = (value: unknown) => offLoop.hashOfJson({ owner: 'user', address: 'z' }, value);
    const one = await hashOf(['buy', { token: 'a', terms: { limit: '1', fee: 2 }, tags: ['x', 'y'] }]);
    expect(await hashOf(['buy', { tags: ['x', 'y'], terms: { fee: 2, limit: '1' }, token: 'a' }])).toBe(one);
    for (const other of [
      ['buy', { token: 'a', terms: { limit: '1', fee: 2 }, tags: ['y', 'x'] }],
      ['buy', { token: 'a', terms: { limit: 1, fee: 2 }, tags: ['x', 'y'] }],
      ['sell', { token: 'a', terms: { limit: '1', fee: 2 }, tags: ['x', 'y'] }],
    ])
      expect(await hashOf(other)).not.toBe(one);
  });
});
