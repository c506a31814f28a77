import { randomBytes, randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type ChainType, toBase58 } from '@mintage/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignerDatabase } from '../../db/signerTables.ts';
import { memoryKek } from '../../keys/keys.ts';
import type { Context, Db } from '../context.ts';
import { evmSigning } from '../evm/evmSigning.ts';
import type { SigningFamily } from '../sender.ts';
import { makeWallets } from './makeWallets.ts';

describe('makeWallets', () => {
  let stop: () => Promise<void>;
  let db: Db;
  let context: Context;
  beforeAll(async () => {
    const database = await testDatabase();
    stop = database.stop;
    db = database.db.withTables<SignerDatabase>();
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    context = { db, keys: memoryKek(randomBytes(32)), log } as unknown as Context;
  });
  afterAll(() => stop?.());

  const ask = async (...types: ChainType[]): Promise<string> => {
    const user_id = randomUUID();
    await db
      .insertInto('embedded_wallet')
      .values(types.map((chain_type) => ({ user_id, chain_type })))
      .execute();
    return user_id;
  };
  const addressesOf = async (user: string) => {
    const rows = await db
      .selectFrom('embedded_wallet')
      .select(['chain_type', 'address'])
      .where('user_id', '=', user)
      .execute();
    return Object.fromEntries(rows.map(({ chain_type, address }) => [chain_type, address]));
  };

  it('default: each wallet by its family; one of a family that is not served waits for a signer that serves it', async () => {
    const user = await ask('evm', 'solana');
    expect(await makeWallets(context, new Map([['evm', evmSigning]]))).toBe(false);
    const { evm, solana } = await addressesOf(user);
    expect([evm, solana]).toEqual([expect.stringMatching(/^0x[0-9a-f]{40}$/), null]);

    const address = toBase58(randomBytes(32));
    const secret = randomBytes(64);
    const other: SigningFamily = { ...evmSigning, newWallet: () => ({ secret, address }) };
    await makeWallets(context, new Map([['solana', other]]));
    expect(await addressesOf(user)).toEqual({ evm, solana: address });
    expect(secret.every((byte) => byte === 0)).toBe(true);
  });

  it('behavior: without families none is made', async () => {
    const user = await ask('evm');
    expect(await makeWallets(context, new Map())).toBe(false);
    expect(await addressesOf(user)).toEqual({ evm: null });
  });
});
