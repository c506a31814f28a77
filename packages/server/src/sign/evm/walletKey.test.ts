import { randomBytes, randomUUID } from 'node:crypto';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { type Hex, type TransactionSerializable, toHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignerDatabase } from '../../db/signerTables.ts';
import { type KeyEncryption, memoryKek, seal } from '../../keys/keys.ts';
import type { Context, Db } from '../context.ts';
import { withWalletKey } from '../wallets/walletKey.ts';
import { walletSeal } from '../wallets/walletSeal.ts';
import { nativeCurve, wasmCurve } from './curve.ts';
import { addressOf, evmKeys } from './walletKey.ts';

const transactions: TransactionSerializable[] = [
  {
    type: 'eip1559',
    chainId: 84_532,
    nonce: 7,
    to: `0x${'12'.repeat(20)}`,
    value: 5n,
    data: '0x1234',
    gas: 21_000n,
    maxFeePerGas: 3n,
    maxPriorityFeePerGas: 2n,
  },
  { type: 'legacy', chainId: 97, nonce: 0, to: `0x${'34'.repeat(20)}`, gas: 50_000n, gasPrice: 9n },
];

describe('withWalletKey', () => {
  let stop: () => Promise<void>;
  let db: Db;
  const kek = memoryKek(randomBytes(32));
  /** Every buffer that held an opened secret. */
  const opened: Uint8Array[] = [];
  const keys: KeyEncryption = {
    ...kek,
    async unwrap(...parts) {
      const dataKey = await kek.unwrap(...parts);
      opened.push(dataKey);
      return dataKey;
    },
  };
  const context = () => ({ db, keys }) as Context;

  beforeAll(async () => {
    const database = await testDatabase();
    stop = database.stop;
    db = database.db.withTables<SignerDatabase>();
  });
  afterAll(() => stop?.());

  const newWallet = async (): Promise<{ key: Buffer; wallet: Hex }> => {
    const key = randomBytes(32);
    const wallet = addressOf(key);
    const user = randomUUID();
    const sealed = JSON.stringify(await seal(keys, key, walletSeal(user, wallet)));
    const row = {
      user_id: user,
      chain_type: 'evm' as const,
      address: wallet,
      sealed_key: sealed,
      made_at: new Date(),
      paused_at: null,
    };
    await db.insertInto('embedded_wallet').values(row).execute();
    return { key, wallet };
  };

  it('default: the same bytes as a plain account signs, by both builds of the curve', async () => {
    for (let run = 0; run < 20; run += 1) {
      const { key, wallet } = await newWallet();
      const account = privateKeyToAccount(toHex(key));
      expect(wallet).toBe(account.address.toLowerCase());
      for (const transaction of transactions) {
        const plain = await account.signTransaction(transaction);
        expect(await withWalletKey(context(), wallet, evmKeys, async (one) => one?.sign(transaction))).toBe(plain);
      }
      const digest = randomBytes(32);
      const native = nativeCurve();
      expect(wasmCurve().sign(digest, key)).toEqual(native?.sign(digest, key));
      expect(toHex(wasmCurve().publicKeyOf(key))).toBe(toHex(native?.publicKeyOf(key) as Uint8Array));
    }
  });

  it('H29 the key is overwritten when the turn ends, also by an error, and signs nothing after it', async () => {
    const { wallet } = await newWallet();
    opened.length = 0;
    const kept = await withWalletKey(context(), wallet, evmKeys, async (key) => key);
    expect(() => kept?.sign(transactions[0] as TransactionSerializable)).toThrow('was wiped');
    await expect(
      withWalletKey(context(), wallet, evmKeys, async () => {
        throw new Error('broken off');
      }),
    ).rejects.toThrow('broken off');
    expect(opened).toHaveLength(2);
    for (const dataKey of opened) expect(dataKey.every((byte) => byte === 0)).toBe(true);
  });

  it('default: nobody’s wallet has no key, and the key of another wallet is refused', async () => {
    expect(await withWalletKey(context(), `0x${'0'.repeat(40)}`, evmKeys, async (key) => key === undefined)).toBe(true);
    const { wallet } = await newWallet();
    const user = randomUUID();
    const other: Hex = `0x${'9'.repeat(40)}`;
    const sealed = JSON.stringify(await seal(keys, randomBytes(32), walletSeal(user, other)));
    const row = {
      user_id: user,
      chain_type: 'evm' as const,
      address: other,
      sealed_key: sealed,
      made_at: new Date(),
      paused_at: null,
    };
    await db.insertInto('embedded_wallet').values(row).execute();
    await expect(withWalletKey(context(), other, evmKeys, async () => null)).rejects.toThrow("another wallet's");
    expect(wallet).not.toBe(other);
  });
});
