import { randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type Address, toBase58 } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db, ServiceDatabase } from '../../db/serviceTables.ts';
import { accountOf } from './users.ts';

describe('accountOf', () => {
  let stop: () => Promise<void>;
  let db: Db;
  beforeAll(async () => {
    const database = await testDatabase();
    stop = database.stop;
    db = database.db.withTables<ServiceDatabase>();
  });
  afterAll(() => stop?.());

  const [signIn, evm, unlinked]: Address[] = [`0x${'9'.repeat(40)}`, `0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
  const solana = toBase58(new Uint8Array(32).fill(7));
  const newUser = async (linked: readonly (Address | undefined)[]): Promise<string> => {
    const user_id = randomUUID();
    await db.insertInto('app_user').values({ user_id }).execute();
    for (const [at, address] of linked.entries()) {
      const created_at = new Date(Date.UTC(2030, 0, 1 + at));
      await db
        .insertInto('user_wallet')
        .values({ address: address as Address, user_id, created_at })
        .execute();
    }
    return user_id;
  };

  it('default: the sign-in wallet first, then the embedded ones, known by the chains that they are for', async () => {
    const user_id = await newUser([evm, signIn, solana]);
    const made = { user_id, sealed_key: '{}' };
    await db
      .insertInto('embedded_wallet')
      .values([
        { ...made, chain_type: 'evm', address: evm },
        { ...made, chain_type: 'solana', address: solana },
      ])
      .execute();
    expect(await accountOf(db, user_id)).toEqual({
      wallets: [signIn, evm, solana],
      embedded: { evm, solana },
      premium: false,
    });
  });

  it('behavior: a wallet that is made and not linked yet, or only requested, is not among them', async () => {
    const user_id = await newUser([]);
    await db
      .insertInto('embedded_wallet')
      .values([
        { user_id, chain_type: 'evm', address: unlinked, sealed_key: '{}' },
        { user_id, chain_type: 'solana' },
      ])
      .execute();
    expect(await accountOf(db, user_id)).toEqual({ wallets: [], embedded: {}, premium: false });
  });

  it('behavior: null for nobody', async () => {
    expect(await accountOf(db, randomUUID())).toBeNull();
  });
});
