import { randomUUID } from 'node:crypto';
import { changing, type DevChain, type Intercept, type Proxy, replacing, startProxy } from '@mintage/devnet';
import { until } from '@mintage/devnet/until';
import { encodeOrder, lensAbi } from '@mintage/protocol';
import { sql } from 'kysely';
import { encodeFunctionData, type Hex, keccak256, numberToHex, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unsureSentence } from '../../src/db/signerTables.ts';
import { open, type Sealed } from '../../src/keys/keys.ts';
import type { Signer } from '../../src/sign/signer.ts';
import { walletSeal } from '../../src/sign/wallets/walletSeal.ts';
import { balanceOf, finalityBlocks, newAddress, startWorld, type World } from './world.ts';

let world: World;
let chain: DevChain;
let proxies: [Proxy, Proxy, Proxy];
let signer: Signer;
beforeAll(async () => {
  world = await startWorld(['base-sepolia']);
  [chain] = world.chains as [DevChain];
  proxies = [await startProxy(chain.rpcUrl), await startProxy(chain.rpcUrl), await startProxy(chain.rpcUrl)];
});
beforeEach(async () => {
  signer = await start();
});
afterEach(async () => {
  for (const proxy of proxies ?? []) proxy.intercept = undefined;
  await signer.stop();
});
afterAll(async () => {
  await world?.stop();
  await Promise.all(proxies?.map((proxy) => proxy.stop()) ?? []);
});

const start = (): Promise<Signer> =>
  world.signer([
    world.served(
      chain,
      proxies.map(({ url }) => url),
    ),
  ]);
const ended = (id: string) => async () => !['queued', 'signed'].includes((await world.intent(id)).status);
const statusesAre = (id: string, status: string) => async () =>
  (await world.steps(id)).every((step) => step.status === status);
const pay = async (count = 1) => {
  const owner = await world.newWallet();
  const recipients = Array.from({ length: count }, newAddress);
  const id = await world.wish({ chain, ...owner, steps: recipients.map((to) => ({ to, value: 1n })) });
  return { ...owner, id, recipients };
};
/** A call that the dollar token refuses. */
const reverting = () => ({ to: chain.deployment.usd, data: '0x12345678' as Hex });
const expectPaidOnce = async (recipients: readonly Hex[]): Promise<void> => {
  for (const to of recipients) expect(await balanceOf(chain, to)).toBe(1n);
};

describe('a database that was set back to before an intent was signed', () => {
  const setBack = async (id: string, wallet: Hex): Promise<void> => {
    await world.db.deleteFrom('attempt').where('intent_id', '=', id).execute();
    await world.db
      .updateTable('intent_step')
      .set({ nonce: null, hash: null, status: 'queued', block_number: null, block_hash: null, gas_paid: null })
      .where('intent_id', '=', id)
      .execute();
    await world.db
      .updateTable('intent')
      .set({ status: 'queued', signed_at: null })
      .where('intent_id', '=', id)
      .execute();
    await world.db.deleteFrom('lane').where('wallet', '=', wallet).execute();
  };

  test('W1 behavior: what is in blocks is found there, and not signed again', async () => {
    const { id, wallet, recipients } = await pay(2);
    await until(statusesAre(id, 'sent'));
    await chain.rpc('evm_mine');
    await signer.stop();
    await setBack(id, wallet);
    await chain.rpc('evm_mine');
    signer = await start();
    await world.mineUntil(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'done' });
    expect((await world.steps(id)).map(({ nonce }) => nonce)).toEqual([0, 1]);
    await expectPaidOnce(recipients);
    expect(await chain.rpc('eth_getTransactionCount', [wallet, 'latest'])).toBe('0x2');
  });

  test('W1 behavior: what only waits in a pool gets the same nonce again', async () => {
    const { id, wallet, recipients } = await pay(2);
    await until(statusesAre(id, 'sent'));
    await signer.stop();
    await setBack(id, wallet);
    signer = await start();
    await world.mineUntil(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'done' });
    await expectPaidOnce(recipients);
    expect(await chain.rpc('eth_getTransactionCount', [wallet, 'latest'])).toBe('0x2');
  });

  test('W1 error: bytes in the place of ours that the wallet did not sign prove nothing', async () => {
    const { id, wallet, recipients } = await pay();
    await until(statusesAre(id, 'sent'));
    await signer.stop();
    await chain.rpc('anvil_dropAllTransactions');
    await chain.rpc('anvil_impersonateAccount', [wallet]);
    const stranger = { from: wallet, to: newAddress(), value: '0x1', nonce: '0x0', gas: numberToHex(21_000) };
    await chain.rpc('eth_sendTransaction', [{ ...stranger, gasPrice: numberToHex(10n ** 10n) }]);
    await chain.rpc('evm_mine');
    signer = await start();
    const before = world.logged.length;
    for (let i = 0; i < 6; i += 1) await chain.rpc('evm_mine');
    await until(() => world.logged.slice(before).some(({ message }) => /refuse a transaction/.test(message)));
    expect(await world.steps(id)).toMatchObject([{ nonce: 0 }]);
    expect(await balanceOf(chain, recipients[0] as Hex)).toBe(0n);
  });
});

describe('somebody else who has the key', () => {
  test('W1 behavior: when the user’s bytes took the nonce for good, and only then, the step gets a new one', async () => {
    const { id, wallet, user, recipients } = await pay();
    await until(statusesAre(id, 'sent'));
    await signer.stop();
    await chain.rpc('anvil_dropAllTransactions');
    const row = await world.db
      .selectFrom('embedded_wallet')
      .select('sealed_key')
      .where('user_id', '=', user)
      .executeTakeFirst();
    const key = await open(world.keys, row?.sealed_key as Sealed, walletSeal(user, wallet));
    const stranger = privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`);
    const raw = await stranger.signTransaction({
      type: 'eip1559',
      chainId: chain.chain.chainId,
      nonce: 0,
      to: newAddress(),
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
    });
    await chain.rpc('eth_sendRawTransaction', [raw]);
    await chain.rpc('evm_mine');
    signer = await start();
    expect(await world.steps(id)).toMatchObject([{ nonce: 0 }]);
    await world.mineUntil(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'done' });
    expect(await world.steps(id)).toMatchObject([{ nonce: 1 }]);
    await expectPaidOnce(recipients);
  });
});

describe('providers', () => {
  test('W9 H26 behavior: of two that contradict each other neither is told as a fact, and nothing ends by them', async () => {
    await signer.stop();
    const [liar, honest] = proxies;
    signer = await world.signer([world.served(chain, [liar.url, honest.url])]);
    const owner = await world.newWallet();
    let lied = 0;
    liar.intercept = changing('eth_getTransactionReceipt', (receipt) => {
      if (receipt === null) return null;
      lied += 1;
      return { ...receipt, status: '0x1' };
    });
    const id = await world.wish({ chain, ...owner, steps: [{ to: newAddress() }, reverting()] });
    await world.mineUntil(async () => (await world.steps(id))[1]?.error === unsureSentence);
    for (let i = 0; i < 2 * finalityBlocks; i += 1) await chain.rpc('evm_mine');
    const before = lied;
    await until(() => lied > before + 12);
    expect(await world.intent(id)).toMatchObject({ status: 'signed' });
    expect((await world.steps(id))[1]).toMatchObject({ status: 'sent', error: unsureSentence });
    liar.intercept = undefined;
    await world.mineUntil(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'failed', error_code: 'TRANSACTION_FAILED' });
  });

  test('H26 behavior: what reverted is never told as mined well, and what went well never as reverted, by one of three', async () => {
    let looks = 0;
    const counting = (status: (own: unknown) => unknown) =>
      changing('eth_getTransactionReceipt', (receipt) => {
        looks += 1;
        return receipt && { ...receipt, status: status((receipt as { status: unknown }).status) };
      });
    for (const proxy of proxies) proxy.intercept = counting((own) => own);
    const statusIs = (status: '0x0' | '0x1') => counting(() => status);
    /** What is told of a step that is mined, while it is looked at again and again. */
    const toldOf = async (id: string, step: number): Promise<Set<string | null | undefined>> => {
      await until(statusesAre(id, 'sent'));
      await chain.rpc('evm_mine'); // no more of them: nothing becomes final
      await until(statusesAre(id, 'mined'));
      const [told, before] = [new Set<string | null | undefined>(), looks];
      await until(async () => {
        told.add((await world.steps(id))[step]?.error);
        return looks > before + 16;
      });
      return told;
    };
    proxies[0].intercept = statusIs('0x1');
    const owner = await world.newWallet();
    const reverted = await world.wish({ chain, ...owner, steps: [{ to: newAddress() }, reverting()] });
    const told = await toldOf(reverted, 1);
    expect([told.size, told.has(null)]).toEqual([1, false]);
    proxies[0].intercept = statusIs('0x0');
    const { id } = await pay();
    expect([...(await toldOf(id, 0))]).toEqual([null]);
    await world.mineUntil(ended(reverted));
    expect(await world.intent(reverted)).toMatchObject({ status: 'failed' });
    await world.mineUntil(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'done' });
  });

  test('W9 behavior: one that hides receipts holds nothing up', async () => {
    proxies[0].intercept = changing('eth_getTransactionReceipt', () => null);
    const { id, recipients } = await pay();
    await world.mineUntil(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'done' });
    await expectPaidOnce(recipients);
  });

  test('W9 behavior: one that shows too many transactions makes no gap', async () => {
    proxies[0].intercept = changing('eth_getTransactionCount', (count) => numberToHex(Number(count) + 5));
    const { id, recipients } = await pay();
    await world.mineUntil(ended(id));
    expect(await world.steps(id)).toMatchObject([{ nonce: 0, status: 'final' }]);
    await expectPaidOnce(recipients);
  });

  const block = (change: (header: Record<string, unknown>, tag: unknown) => object) =>
    changing(
      'eth_getBlockByNumber',
      (shown, { params }) => shown && change(shown as Record<string, unknown>, params[0]),
    );
  const latest = (change: (header: Record<string, unknown>) => object) =>
    block((header, tag) => (tag === 'latest' ? change(header) : header));
  const lies: Record<string, Intercept> = {
    'no balance': changing('eth_getBalance', () => '0x0'),
    'nobody sent anything': changing('eth_getTransactionCount', () => '0x0'),
    'a head that is not there': latest((header) => ({ ...header, number: numberToHex(Number(header.number) + 1000) })),
    'an old head': latest((header) => ({ ...header, number: '0x1' })),
    'gas for a thousand times its price': block((header) => ({
      ...header,
      baseFeePerGas: numberToHex(1000n * BigInt(header.baseFeePerGas as string) + 10n ** 12n),
    })),
    'every call reverts': replacing('eth_call', () => ({
      error: { code: 3, message: 'execution reverted', data: '0x' },
    })),
    'every receipt costs the whole day': changing(
      'eth_getTransactionReceipt',
      (receipt) => receipt && { ...receipt, effectiveGasPrice: numberToHex(10n ** 18n) },
    ),
  };
  for (const [name, lie] of Object.entries(lies))
    test(`H27 behavior: one of three says: ${name}; the payment is signed once, and goes through`, async () => {
      proxies[0].intercept = lie;
      const { id, wallet, recipients } = await pay(2);
      await world.mineUntil(ended(id));
      expect(await world.intent(id)).toMatchObject({ status: 'done', error_code: null });
      await expectPaidOnce(recipients);
      const [gas] = await world.db
        .selectFrom('intent_step')
        .select(({ fn }) => fn.sum<bigint>('gas_paid').as('paid'))
        .where('intent_id', '=', id)
        .execute();
      const left = await balanceOf(chain, wallet);
      expect(10n ** 20n - left - 2n).toBe(BigInt(gas?.paid ?? 0));
    });

  test('H27 error: a call that reverts is refused although one says that it does not; of two nobody is believed', async () => {
    proxies[0].intercept = replacing('eth_call', () => ({ result: '0x' }));
    const owner = await world.newWallet();
    const id = await world.wish({ chain, ...owner, steps: [reverting()] });
    await until(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'refused', error_code: 'TRANSACTION_FAILED' });

    await signer.stop();
    const [liar, honest] = proxies;
    signer = await world.signer([world.served(chain, [liar.url, honest.url])]);
    for (const lie of [replacing('eth_call', () => ({ result: '0x' })), changing('eth_getBalance', () => '0x0')]) {
      liar.intercept = lie;
      const logged = world.logged.length;
      const other = await world.wish({ chain, ...(await world.newWallet()), steps: [reverting()] });
      await until(() => world.logged.slice(logged).some(({ fields }) => /contradict/.test(String(fields.reason))));
      expect(await world.intent(other)).toMatchObject({ status: 'queued' });
      liar.intercept = undefined;
      await until(ended(other));
      expect(await world.intent(other)).toMatchObject({ status: 'refused', error_code: 'TRANSACTION_FAILED' });
    }
  });

  test('H21 error: what was prepared from a state that two providers do not confirm is not signed', async () => {
    const { lens } = chain.deployment;
    const owner = await world.newWallet();
    const args = [newAddress(), owner.wallet] as const;
    const data = encodeFunctionData({ abi: lensAbi, functionName: 'quoteState', args });
    const blockNumber = Number(await chain.rpc('eth_blockNumber'));
    const truth = (await chain.rpc('eth_call', [{ to: lens, data }, numberToHex(blockNumber)])) as Hex;
    const lie: Hex = `${truth.slice(0, -1) as Hex}1`;
    proxies[0].intercept = changing('eth_call', (result, { params }) =>
      (params[0] as { to?: string }).to === lens ? lie : result,
    );
    const wish = (answer: Hex) => {
      const premise = { blockNumber, to: lens, data, answerHash: keccak256(answer) };
      return world.wish({ chain, ...owner, steps: [{ to: newAddress(), value: 1n }], premise });
    };
    const [believed, real] = [await wish(lie), await wish(truth)];
    await world.mineUntil(ended(real));
    expect(await world.intent(real)).toMatchObject({ status: 'done' });
    expect(await world.intent(believed)).toMatchObject({ status: 'refused', error_code: 'NETWORK_ERROR' });
    expect(await chain.rpc('eth_getTransactionCount', [owner.wallet, 'latest'])).toBe('0x1');
  });

  test('behavior: one of three is down, and all goes on', async () => {
    proxies[0].intercept = () => Promise.reject(new Error('down'));
    const { id, recipients } = await pay(2);
    await world.mineUntil(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'done' });
    await expectPaidOnce(recipients);
  });

  test('behavior: all are down: the intent waits and is done afterwards', async () => {
    const owner = await world.newWallet();
    for (const proxy of proxies) proxy.intercept = () => Promise.reject(new Error('down'));
    const to = newAddress();
    const logged = world.logged.length;
    const id = await world.wish({ chain, ...owner, steps: [{ to, value: 1n }] });
    await until(() => world.logged.slice(logged).some(({ message }) => message === 'the signer is interrupted'));
    expect(await world.intent(id)).toMatchObject({ status: 'queued' });
    for (const proxy of proxies) proxy.intercept = undefined;
    await world.mineUntil(ended(id));
    await expectPaidOnce([to]);
  });
});

describe('refusals', () => {
  const refused = async (wish: Partial<Parameters<World['wish']>[0]>): Promise<object> => {
    const owner = await world.newWallet();
    const id = await world.wish({ chain, ...owner, steps: [{ to: newAddress(), value: 1n }], ...wish });
    await until(ended(id));
    return world.intent(id);
  };

  test('error: INSUFFICIENT_BALANCE says what is there and what is needed', async () => {
    const owner = await world.newWallet();
    await chain.rpc('anvil_setBalance', [owner.wallet, numberToHex(5)]);
    expect(await refused(owner)).toMatchObject({
      status: 'refused',
      error_code: 'INSUFFICIENT_BALANCE',
      error: expect.stringMatching(/^The wallet has 5 base units .*; \d+ are needed\.$/),
    });
  });

  test('error: EXECUTION_PAUSED for one and for all', async () => {
    const owner = await world.newWallet();
    await world.db
      .updateTable('embedded_wallet')
      .set({ paused_at: new Date() })
      .where('user_id', '=', owner.user)
      .execute();
    expect(await refused(owner)).toMatchObject({ status: 'refused', error_code: 'EXECUTION_PAUSED' });
    await world.db.insertInto('signing_pause').values({ reason: 'a drill' }).execute();
    expect(await refused({})).toMatchObject({
      error_code: 'EXECUTION_PAUSED',
      error: expect.stringContaining('a drill'),
    });
    await world.db.deleteFrom('signing_pause').execute();
  });

  test('error: DEADLINE_PASSED when nobody signed in time', async () => {
    expect(await refused({ expiresIn: -1 })).toMatchObject({ status: 'refused', error_code: 'DEADLINE_PASSED' });
  });

  test("error: W5 another user's wallet", async () => {
    expect(await refused({ user: randomUUID() })).toMatchObject({
      status: 'refused',
      error_code: 'INVALID_PARAMETERS',
    });
  });

  test('error: a gas limit that no block takes', async () => {
    const steps = [{ to: newAddress(), value: 1n, gas: 2 ** 25 }];
    expect(await refused({ steps })).toMatchObject({ status: 'refused', error_code: 'INVALID_PARAMETERS' });
  });

  test('error: a call that would revert now is refused with its reason', async () => {
    const { launchpad } = chain.deployment;
    const order = { token: newAddress(), amount: 1_000_000n, limit: 0n, recipient: newAddress(), deadline: 2n ** 40n };
    const data = encodeOrder('buyExactIn', {
      ...order,
      builder: zeroAddress,
      builderBps: 0n,
      referral: zeroAddress,
    });
    expect(await refused({ steps: [{ to: launchpad, data, gas: 1_000_000 }] })).toMatchObject({
      status: 'refused',
      error_code: 'TOKEN_NOT_FOUND',
    });
    // As a second step it cannot be tried before: it fails on the chain, with the same reason.
    await world.emptyIndex(chain);
    const owner = await world.newWallet();
    const steps = [{ to: newAddress() }, { to: launchpad, data, gas: 1_000_000 }];
    const id = await world.wish({ chain, ...owner, steps, acknowledged: { limitRaw: '0' } });
    await world.mineUntil(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'failed', error_code: 'TOKEN_NOT_FOUND' });
    expect((await world.steps(id)).map(({ status }) => status)).toEqual(['final', 'failed']);
  });

  test('H8 attack: a reason that no database takes is told, and holds up nothing of the wallet', async () => {
    const to = newAddress();
    // Refuses every call with a reason of one character, U+0000.
    await chain.rpc('anvil_setCode', [to, '0x6308c379a060e01b5f526020600452600160245260645ffd']);
    expect(await refused({ steps: [{ to }] })).toMatchObject({ status: 'refused', error_code: 'TRANSACTION_FAILED' });
    const owner = await world.newWallet();
    const id = await world.wish({ chain, ...owner, steps: [{ to: newAddress() }, { to, gas: 100_000 }] });
    const next = await world.wish({ chain, ...owner, steps: [{ to: newAddress() }] });
    await world.mineUntil(async () => (await ended(id)()) && (await ended(next)()));
    const error = 'The contract refused the transaction: \ufffd.';
    expect(await world.steps(id)).toMatchObject([{ status: 'final' }, { status: 'failed', error }]);
    expect(await world.intent(next)).toMatchObject({ status: 'done' });
  });

  test('behavior: a step that cannot be written down holds up none of those behind it', async () => {
    const owner = await world.newWallet();
    const id = await world.wish({ chain, ...owner, steps: [{ to: newAddress() }] });
    await sql
      .raw(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
      create trigger refuse before update on intent_step for each row when (old.intent_id = '${id}' and new.status = 'mined')
      execute function refuse()`)
      .execute(world.db);
    try {
      await until(statusesAre(id, 'sent'));
      const next = await world.wish({ chain, ...owner, steps: [{ to: newAddress() }] });
      await world.mineUntil(ended(next));
      expect(await world.intent(next)).toMatchObject({ status: 'done' });
      expect(await world.steps(id)).toMatchObject([{ status: 'sent' }]);
    } finally {
      await sql`drop trigger refuse on intent_step; drop function refuse`.execute(world.db);
    }
    await world.mineUntil(ended(id));
    expect(await world.intent(id)).toMatchObject({ status: 'done' });
  });
});
