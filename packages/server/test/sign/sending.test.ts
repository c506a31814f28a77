import { changing, type DevChain, type Intercept, type Proxy, startProxy } from '@mintage/devnet';
import { until } from '@mintage/devnet/until';
import { type Hex, numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServedChain, Signer } from '../../src/sign/signer.ts';
import { Random } from './random.ts';
import { balanceOf, newAddress, startWorld, type World } from './world.ts';

let world: World;
let chain: DevChain;
let proxies: Proxy[];
let signer: Signer | undefined;
beforeAll(async () => {
  world = await startWorld(['base-sepolia']);
  [chain] = world.chains as [DevChain];
  proxies = await Promise.all([startProxy(chain.rpcUrl), startProxy(chain.rpcUrl)]);
  served = world.served(
    chain,
    proxies.map(({ url }) => url),
  );
});
afterAll(async () => {
  await world?.stop();
  await Promise.all(proxies?.map((proxy) => proxy.stop()) ?? []);
});
let served: ServedChain;

const intercept = (what: Intercept | undefined): void => {
  for (const proxy of proxies) proxy.intercept = what;
};

/** With a signer behind providers that behave, to begin with. */
const withSigner = async (work: () => Promise<void>): Promise<void> => {
  intercept(undefined);
  signer = await world.signer([served]);
  try {
    await work();
  } finally {
    intercept(undefined);
    await signer.stop();
    await chain.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(usual)]);
    await chain.rpc('evm_mine');
  }
};

const usual = 1_000_000_000n;
/** Ten times the cap of the chain's gas policy. */
const dear = 1_000_000_000_000n;
const ended = (id: string) => async () => !['queued', 'signed'].includes((await world.intent(id)).status);
const steps = async (id: string) => (await world.steps(id)).map(({ status }) => status);
const attempts = (id: string) =>
  world.db.selectFrom('attempt').selectAll().where('intent_id', '=', id).orderBy('signed_at').execute();

const isInPool = async (id: string): Promise<boolean> => {
  const hashes = (await world.steps(id)).map(({ hash }) => hash);
  if (hashes.includes(null)) return false;
  const known = await Promise.all(hashes.map((hash) => chain.rpc('eth_getTransactionByHash', [hash])));
  return !known.includes(null);
};

const pay = async (options: { wallet?: { user: string; wallet: Hex }; count?: number; expiresIn?: number } = {}) => {
  const owner = options.wallet ?? (await world.newWallet());
  const recipients = Array.from({ length: options.count ?? 1 }, newAddress);
  const { expiresIn } = options;
  const steps = recipients.map((to) => ({ to, value: 1n }));
  const id = await world.wish({ chain, ...owner, steps, ...(expiresIn === undefined ? {} : { expiresIn }) });
  return { ...owner, id, recipients };
};

/** Each of them was paid once. */
const expectPaidOnce = async (recipients: readonly Hex[]): Promise<void> => {
  for (const to of recipients) expect(await balanceOf(chain, to)).toBe(1n);
};

describe('sending', () => {
  test('W2 behavior: a third of the sends fail in every way, and no nonce is left out', () =>
    withSigner(async () => {
      const seed = Number(process.env.SEED ?? 1);
      const random = new Random(seed);
      const ways: Intercept[] = [
        async () => Promise.reject(new Error('the connection is lost before')),
        async (_, forward) => forward().then(() => Promise.reject(new Error('the connection is lost after'))),
        async (calls) => JSON.stringify({ jsonrpc: '2.0', id: calls[0]?.id, error: { code: -32000, message: 'busy' } }),
        async (calls) => JSON.stringify({ jsonrpc: '2.0', id: calls[0]?.id, result: `0x${'5'.repeat(64)}` }),
      ];
      // What fails does so at every provider, the first time.
      const fates = new Map<string, Intercept | undefined>();
      for (const proxy of proxies) {
        const seen = new Set<string>();
        proxy.intercept = async (calls, forward) => {
          const raw = String(calls[0]?.params[0]);
          if (calls[0]?.method !== 'eth_sendRawTransaction' || seen.has(raw)) return forward();
          seen.add(raw);
          if (!fates.has(raw)) fates.set(raw, fates.size % 3 === 0 ? random.pick(ways) : undefined);
          return fates.get(raw)?.(calls, forward) ?? forward();
        };
      }
      const wallet = await world.newWallet();
      const paid = [];
      for (let i = 0; i < 10; i += 1) paid.push(await pay({ wallet, count: 2 }));
      // No block comes, so nothing is replaced: the very same bytes have to arrive, each of them.
      for (const { id } of paid) await until(() => isInPool(id));
      for (const { id } of paid) await world.mineUntil(ended(id));
      for (const { id } of paid) expect(await world.intent(id), `seed ${seed}`).toMatchObject({ status: 'done' });
      await expectPaidOnce(paid.flatMap(({ recipients }) => recipients));
    }));

  test('W1 behavior: an own transaction that a reorg took away is sent again as it was', () =>
    withSigner(async () => {
      const { id, recipients } = await pay({ count: 2 });
      await until(async () => (await steps(id)).every((status) => status === 'sent'));
      await chain.rpc('evm_mine');
      await until(async () => (await steps(id)).every((status) => status === 'mined'));
      await chain.rpc('anvil_rollback', [1]);
      await until(async () => (await steps(id)).every((status) => status === 'sent'));
      await world.mineUntil(ended(id));
      expect(await world.intent(id)).toMatchObject({ status: 'done' });
      expect(await attempts(id)).toHaveLength(2);
      await expectPaidOnce(recipients);
    }));

  test('W6 behavior: gas a hundred times dearer: what is open waits below the cap and is mined afterwards', () =>
    withSigner(async () => {
      const before = await pay();
      await until(async () => (await steps(before.id)).every((status) => status === 'sent'));
      const dearBlock = async (): Promise<void> => {
        await chain.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(dear)]);
        await chain.rpc('evm_mine');
      };
      // The pool asks for the next block's base fee: transactions below it stay where they are.
      await chain.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(dear)]);
      for (let i = 0; i < 15; i += 1) await dearBlock();
      const during = await pay();
      await until(() => world.logged.some((line) => line.message.startsWith('gas is above its cap')));
      expect((await world.intent(during.id)).status).toBe('queued');
      const policy = 100_000_000_000n;
      for (const attempt of await attempts(before.id)) expect(attempt.max_fee_per_gas).toBeLessThanOrEqual(policy);
      expect(await steps(before.id)).toEqual(['sent']);
      await chain.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(usual)]);
      for (const { id } of [before, during]) await world.mineUntil(ended(id));
      for (const { id } of [before, during]) expect(await world.intent(id)).toMatchObject({ status: 'done' });
      await expectPaidOnce([...before.recipients, ...during.recipients]);
    }));

  test('W6 behavior: a transaction that blocks pass by is replaced with the same nonce and more than an eighth more', () =>
    withSigner(async () => {
      const { id, recipients } = await pay();
      await until(async () => (await steps(id)).every((status) => status === 'sent'));
      // Dearer than what was signed for, and below the cap.
      await until(async () => {
        await chain.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(20n * usual)]);
        await chain.rpc('evm_mine');
        return ended(id)();
      });
      expect(await world.intent(id)).toMatchObject({ status: 'done' });
      const [first, second] = await attempts(id);
      expect(second?.nonce).toBe(first?.nonce);
      expect(second?.max_fee_per_gas).toBeGreaterThan(((first?.max_fee_per_gas ?? 0n) * 9n) / 8n);
      await expectPaidOnce(recipients);
    }));

  test('W6 behavior: the gas of a day is capped: beyond it the intents wait', () =>
    withSigner(async () => {
      const owner = await world.newWallet();
      await chain.rpc('anvil_setBalance', [owner.wallet, numberToHex(10n ** 22n)]);
      // 16 million gas at 2 gwei are 0.04 coins with the data fee: the cap of 100 is filled by what was paid before.
      const { id } = await pay({ wallet: owner });
      await world.mineUntil(ended(id));
      await world.db
        .updateTable('intent_step')
        .set({ gas_paid: 10n ** 20n })
        .where('intent_id', '=', id)
        .execute();
      const logged = world.logged.length;
      const next = await pay({ wallet: owner });
      await until(() => world.logged.slice(logged).some((line) => line.message.startsWith('gas is above its cap')));
      expect((await world.intent(next.id)).status).toBe('queued');
      await world.db.updateTable('intent_step').set({ gas_paid: 1n }).where('intent_id', '=', id).execute();
      await world.mineUntil(ended(next.id));
      expect(await world.intent(next.id)).toMatchObject({ status: 'done' });
    }));

  test('behavior: a call that is unmined long after its deadline is cancelled, and the lane goes on', () =>
    withSigner(async () => {
      const owner = await world.newWallet();
      const late = await pay({ wallet: owner });
      await until(async () => (await steps(late.id)).every((status) => status === 'sent'));
      const dearButBelow = async (): Promise<void> => {
        await chain.rpc('anvil_setNextBlockBaseFeePerGas', [numberToHex(20n * usual)]);
        await chain.rpc('evm_mine');
      };
      await world.db
        .updateTable('intent')
        .set({ expires_at: new Date(Date.now() - 3_600_000) })
        .where('intent_id', '=', late.id)
        .execute();
      await until(async () => {
        await dearButBelow();
        return ended(late.id)();
      });
      expect(await world.intent(late.id)).toMatchObject({ status: 'failed', error_code: 'DEADLINE_PASSED' });
      expect(await balanceOf(chain, late.recipients[0] as Hex)).toBe(0n);
      const next = await pay({ wallet: owner });
      await world.mineUntil(ended(next.id));
      expect(await world.intent(next.id)).toMatchObject({ status: 'done' });
    }));

  test('W7 error: providers of another chain: nothing is signed until one is of the right chain', () =>
    withSigner(async () => {
      const owner = await world.newWallet();
      await signer?.stop();
      intercept(changing('eth_chainId', () => '0x1'));
      signer = await world.signer([served]);
      const { id, recipients } = await pay({ wallet: owner });
      await until(() => world.logged.some((line) => String(line.fields.reason).includes('serves chain 1')));
      await until(() => world.logged.some((line) => line.message === 'the signer is interrupted'));
      expect(await attempts(id)).toEqual([]);
      expect((await world.intent(id)).status).toBe('queued');
      intercept(undefined);
      await world.mineUntil(ended(id));
      expect(await world.intent(id)).toMatchObject({ status: 'done' });
      await expectPaidOnce(recipients);
    }));
});
