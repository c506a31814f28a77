import { toBase58 } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, hex, startReads, tokenRow } from '../../../test/api/reads/readsFixture.ts';
import { addressOfRef, findToken } from './tokenRef.ts';

const fox = tokenRow('base', hex(0xf0));
/** The slug has the form of base58 of 32 bytes. */
const word = '9'.repeat(43);
const old = tokenRow('base', hex(0x01d), { name: word });
const eel = tokenRow('solana', toBase58(new Uint8Array(32).fill(7)), { name: 'Eel' });

describe('findToken', () => {
  let reads: Awaited<ReturnType<typeof startReads>>;
  beforeAll(async () => {
    reads = await startReads();
    const { eid } = eel;
    await reads.db
      .insertInto('chain')
      .values({ eid, slug: 'solana', usd: eel.address, usd_decimals: 6, launchpad: eel.address, indexed: 0 })
      .execute();
    await addToken(reads.db, fox, 'red-fox');
    await addToken(reads.db, eel, 'eel');
    await addToken(reads.db, old, word);
  });
  afterAll(() => reads?.stop());

  const found = async (ref: string) => (await findToken(reads.db, ref))?.slug ?? null;

  it('default: by id, platform id, address and slug, in any case', async () => {
    for (const ref of [fox.token_id, fox.platform_id, fox.address, 'red-fox'])
      for (const written of [ref, ref.toUpperCase(), ` ${ref} `])
        expect([written, await found(written)]).toEqual([written, 'red-fox']);
  });

  it('behavior: a slug of before base58 was read is found, whatever its form', async () => {
    expect(addressOfRef(word)).toBe(word);
    expect(await found(word)).toBe(word);
  });

  it('behavior: the case of base58 counts', async () => {
    expect(await found(eel.address)).toBe('eel');
    expect(await found(` ${eel.address} `)).toBe('eel');
    expect(await found(eel.address.toLowerCase())).toBeNull();
    expect(await found(eel.token_id.toUpperCase())).toBe('eel');
  });
});

it('addressOfRef: hex in any case, base58 as it is', () => {
  expect(addressOfRef(`0X${'AB'.repeat(20)}`)).toBe(`0x${'ab'.repeat(20)}`);
  expect(addressOfRef(eel.address)).toBe(eel.address);
  expect(addressOfRef('red-fox')).toBeNull();
});
