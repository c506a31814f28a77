import { randomBytes, sign } from 'node:crypto';
import { type Base58, MintageError, toBase58 } from '@mintage/protocol';
import { tokenAccountOf, wellKnown } from '@mintage/protocol/solana';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NoRoomForVoucherError, type Order, type PreparedStep } from '../../../src/chain/chainClient.ts';
import { tokensIn } from '../../../src/chain/solana/accounts.ts';
import { bytesOf, hexOf } from '../../../src/chain/solana/bytes.ts';
import { compileMessage, messageAgain, unsignedTransaction } from '../../../src/chain/solana/message/compile.ts';
import { getMultipleAccounts, sendTransaction } from '../../../src/chain/solana/rpc/calls.ts';
import { create, lastOf, prepare, read } from './trading.ts';
import { messageOf, newWallet, oneDollar, signedAgain, startWorld, type Wallet, type World } from './world.ts';

describe('what Solana refuses', () => {
  let world: World;
  let creator: Wallet;
  let trader: Wallet;
  /** Who bought before. */
  let holder: Wallet;
  let token: Base58;
  beforeAll(async () => {
    world = await startWorld();
    [creator, trader] = [await world.person(), await world.person(100n * oneDollar)];
    token = await create(world, creator);
    world.node.addSeconds(30);
    world.mine();
    holder = await world.person(100n * oneDollar);
    await world.land(
      holder,
      await world.client.trade(order({ recipient: holder.address, amount: 50n * oneDollar }), null),
    );
  });
  afterAll(() => world?.stop());

  const order = (changes: Partial<Order> = {}): Order => ({
    kind: 'buyExactIn',
    token,
    amount: oneDollar,
    limit: 1n,
    recipient: trader.address,
    builder: null,
    referral: null,
    deadline: 2 ** 32,
    venue: 'curve',
    ...changes,
  });
  const tried = async (wallet: Wallet, step: PreparedStep): Promise<string> => {
    const outcome = await world.client.simulate(wallet.address, [step.call], { blockNumber: 0 });
    return outcome.ok === false ? outcome.error.code : String(outcome.ok);
  };
  const codeOf = async (attempt: Promise<unknown>): Promise<string> => {
    try {
      await attempt;
    } catch (error) {
      if (error instanceof MintageError) return error.code;
      throw error;
    }
    return 'done';
  };

  it.each<[string, Partial<Order>]>([
    ['SLIPPAGE_EXCEEDED', { limit: 10n ** 15n }],
    ['DEADLINE_PASSED', { deadline: 1 }],
    ['INSUFFICIENT_BALANCE', { amount: 101n * oneDollar }],
    ['INSUFFICIENT_BALANCE', { kind: 'sellExactIn', amount: 10n ** 12n }],
    ['AMOUNT_TOO_SMALL', { amount: 0n }],
    ['BEYOND_CURVE', { kind: 'buyExactOut', amount: 10n ** 15n, limit: 10n ** 12n }],
    ['BEYOND_RESERVE', { kind: 'sellExactOut', amount: 10n ** 9n, limit: 10n ** 15n }],
    ['INVALID_PARAMETERS', { amount: 2n ** 63n }],
  ])('%s: %o, in its trial and when it is sent', async (code, changes) => {
    const step = await world.client.trade(order(changes), null);
    expect(await tried(trader, step)).toBe(code);
    expect(await codeOf(world.land(trader, step))).toBe(code);
    expect(await codeOf(world.client.tryCall(trader.address, step.call, async () => []))).toBe(code);
  });

  it('a wallet without SOL, and one with too little for what is opened', async () => {
    const poor = newWallet();
    expect(await tried(poor, await world.client.trade(order({ recipient: poor.address }), null))).toBe(
      'INSUFFICIENT_BALANCE',
    );
    await world.wire.request({ method: 'requestAirdrop', params: [poor.address, 1_000_000] }, 5_000);
    world.mine();
    const outcome = await world.client.simulate(
      poor.address,
      [(await world.client.mintUsd(poor.address, poor.address, oneDollar)).call],
      { blockNumber: 0 },
    );
    expect(outcome).toMatchObject({ ok: false, error: { code: 'INSUFFICIENT_BALANCE' } });
    expect(outcome.ok === false && outcome.error.message).toMatch(/SOL/);
  });

  it('S118 what was tried well and lands on another state fills within its limit, or does nothing', async () => {
    const { client } = world;
    const shopper = await world.person(200n * oneDollar);
    const prepared = await client.trade(
      order({ recipient: shopper.address, amount: 100n * oneDollar, limit: 1n }),
      null,
    );
    const outcome = await client.simulate(shopper.address, [prepared.call], { blockNumber: 0 });
    const account = tokenAccountOf(shopper.address, token, 'token2022');
    if (outcome.ok !== true) throw new Error('It would fail.');
    const shown = outcome.transfers.find(({ asset, to }) => asset === token && to === shopper.address)?.amount ?? 0n;
    const exact = await client.trade(
      order({ recipient: shopper.address, amount: 100n * oneDollar, limit: shown }),
      null,
    );
    expect(await tried(shopper, exact)).toBe('true');
    // Somebody is faster.
    const other = await world.person(5_000n * oneDollar);
    const faster = { amount: 5_000n * oneDollar, recipient: other.address };
    await world.land(other, await client.trade(order(faster), null));
    const held = async () =>
      (await world.wire.request(getMultipleAccounts([account], 'latest'), 5_000)).value[0] ?? null;
    const before = tokensIn(await held());
    expect(await codeOf(world.land(shopper, exact))).toBe('SLIPPAGE_EXCEEDED');
    expect(tokensIn(await held())).toBe(before);
    const late = await client.trade(
      order({ recipient: shopper.address, deadline: Math.floor(Date.now() / 1_000) - 60 }),
      null,
    );
    expect(await codeOf(world.land(shopper, late))).toBe('DEADLINE_PASSED');
  });

  it('too old: an error of its own, and the same message with another blockhash lands', async () => {
    const step = await world.client.trade(order(), null);
    const whole = step.whole as NonNullable<typeof step.whole>;
    const height = await world.wire.request({ method: 'getBlockHeight', params: [{ commitment: 'confirmed' }] }, 5_000);
    expect(whole.lastValidBlockHeight - Number(height)).toBe(150);
    expect(whole.base64).toBe(Buffer.from(bytesOf(step.call.data)).toString('base64'));
    world.mine(whole.lastValidBlockHeight - Number(height) + 2);
    expect(await codeOf(world.land(trader, step))).toBe('TRANSACTION_EXPIRED');
    expect(await tried(trader, step)).toBe('true');
    const before = (await read(world, token, trader.address)).trader.tokenBalance;
    await world.wire.request(sendTransaction(await signedAgain(world, trader, step)), 5_000);
    world.mine();
    expect((await read(world, token, trader.address)).trader.tokenBalance).toBeGreaterThan(before);
  });

  it('W8 a byte that is changed anywhere is shown, or refused', async () => {
    const asked = { kind: 'buyExactIn', amount: oneDollar, builder: { code: holder.address, feeBps: 10 } } as const;
    const step = lastOf((await prepare(world, await read(world, token, trader.address), trader.address, asked)).steps);
    const bytes = bytesOf(step.call.data);
    const said = (data: Uint8Array): string => {
      try {
        return JSON.stringify(world.client.decode({ ...step.call, data: hexOf(data) }));
      } catch {
        return 'refused';
      }
    };
    const right = said(bytes);
    expect(right).not.toBe('refused');
    const isUnnoticed = (at: number): boolean => {
      const changed = Uint8Array.from(bytes);
      changed[at] = (bytes[at] as number) ^ 1;
      return said(changed) === right;
    };
    // The token's two vaults, its creator's User and its vault of credits: the program compares them with the token's own record.
    const trade = messageOf(step).instructions.at(-1);
    const stored = [4, 5, 12, 13].map((place) => trade?.accounts[place]?.address);
    const keysFrom = signatures + head;
    for (let key = 0; key < (bytes[keysFrom - 1] as number); key += 1) {
      const from = keysFrom + 32 * key;
      const isStored = stored.includes(toBase58(bytes.subarray(from, from + 32)));
      expect([key, isUnnoticed(from + 31)]).toEqual([key, isStored]);
    }
    const data = (trade?.data.length ?? 0) + noTables;
    for (let at = bytes.length - data; at < bytes.length - noTables; at += 1)
      expect([at, isUnnoticed(at)]).toEqual([at, false]);
    expect(() => world.client.decode({ ...step.call, to: trader.address })).toThrow('is for');
    for (const other of [
      await world.client.mintUsd(trader.address, trader.address, 1n),
      await world.client.transfer(trader.address, token, creator.address, 1n),
    ])
      expect(() => world.client.decode(other.call)).toThrow(/a prepared transaction/);
  });

  it('error: bytes that are no transaction of this wallet are tried for nobody', async () => {
    const step = await world.client.trade(order(), null);
    for (const data of ['0x00', hexOf(randomBytes(200)), step.call.data] as const)
      await expect(world.client.tryCall(creator.address, { ...step.call, data }, async () => [])).rejects.toMatchObject(
        { code: 'INVALID_PARAMETERS' },
      );
  });

  it('tries a transfer of SOL, and calls after those that are under way, as far as one transaction holds them', async () => {
    const { client } = world;
    const most = await client.nativeBalance(trader.address);
    const send = (value: bigint) =>
      client.tryCall(trader.address, { to: creator.address, data: '0x', value }, async () => []);
    expect((await send(1_000n)).gasLimit).toBeGreaterThan(0n);
    expect(await codeOf(send(most))).toBe('INSUFFICIENT_BALANCE');

    const other = await create(world, creator);
    const held = { token: other, recipient: holder.address, amount: 20n * oneDollar };
    await world.land(holder, await client.trade(order(held), null));
    const first = await client.trade(
      order({ token: other, kind: 'buyExactOut', amount: 5n * 10n ** 12n, limit: 50n * oneDollar }),
      null,
    );
    const then = await client.trade(order({ token: other, kind: 'sellExactIn', amount: 4n * 10n ** 12n }), null);
    const after = (open: PreparedStep[]) =>
      client.tryCall(trader.address, then.call, async () => open.map(({ call }) => call));
    expect(await codeOf(after([]))).toBe('INSUFFICIENT_BALANCE');
    expect(await codeOf(after([first]))).toBe('done');
    await expect(after(Array.from({ length: 20 }, () => first))).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
      message: expect.stringContaining('under way'),
    });
  });

  it('finds what was sent, tells why it failed, and what of it is in a block', async () => {
    const { client } = world;
    const good = await client.trade(order(), null);
    const bad = await client.trade(order({ limit: 10n ** 15n }), null);
    const signed = await signedAgain(world, trader, bad);
    await world.wire.request(
      {
        method: 'sendTransaction',
        params: [Buffer.from(signed).toString('base64'), { encoding: 'base64', skipPreflight: true }],
      },
      5_000,
    );
    const failed = toSignature(signed);
    expect(await client.findTransaction(failed, [trader.address])).toBeNull();
    world.mine();
    const hash = await world.land(trader, good);
    expect(await client.findTransaction(hash, [trader.address])).toMatchObject({ whyReverted: null });
    expect(await client.findTransaction(hash, [creator.address])).toBeNull();
    const found = await client.findTransaction(failed, [trader.address]);
    if (found === null || found === 'unsure') throw new Error('It is there.');
    expect(await found.whyReverted?.()).toBe('The trade would give less than its limit.');
    const seen = await client.readTransaction(failed);
    expect(seen).toMatchObject({ from: trader.address, to: world.served.deployment.launchpad, events: [] });
    expect(seen?.calls.map((call) => call.function)).toEqual(['buyExactIn']);
    const open = (at: Base58 | null) => ({ ...good.call, nonce: null, hash: at, status: 'sent' as const });
    const steps = [open(hash), open(null), open(toBase58(randomBytes(64)))];
    const newest = (await read(world, token, trader.address)).block.number;
    expect(await client.notIn(newest, trader.address, steps)).toEqual(steps.slice(1));
    expect(await client.notIn(1, trader.address, steps)).toEqual(steps);
  });

  it('a voucher that leaves no room says so; one of another key is not signed', async () => {
    const strangers = [newWallet(), newWallet(), newWallet(), newWallet()].map(({ address }) => address) as [
      Base58,
      Base58,
      Base58,
      Base58,
    ];
    const bob = await world.person(oneDollar);
    const voucher = await world.client.signVoucher({ user: bob.address, referrer: strangers[0], deadline: 2n ** 32n });
    const asked = order({
      recipient: bob.address,
      builder: { code: strangers[1], feeBps: 1 },
      referral: strangers[2],
    });
    await expect(world.client.trade(asked, voucher)).rejects.toThrow(NoRoomForVoucherError);
    const step = await world.client.trade(asked, null);
    expect(await tried(bob, step)).toBe('true');
    await world.land(bob, step);
  });

  it('nobody signs for a program’s address, and nothing is sent to a token account', async () => {
    const { client } = world;
    const account = tokenAccountOf(holder.address, token, 'token2022');
    const usd = world.served.deployment.usd;
    for (const step of [
      client.trade(order({ recipient: account }), null),
      client.transfer(holder.address, token, account, 1n),
      client.transfer(holder.address, token, token, 1n),
      client.mintUsd(holder.address, usd, 1n),
    ])
      await expect(step).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
    expect(await codeOf(client.trade(order({ token: account }), null))).toBe('TOKEN_NOT_FOUND');
  });

  it('W8 a voucher for somebody else, or with another signature in front, is refused', async () => {
    const bob = await world.person(oneDollar);
    const { block } = await read(world, token, bob.address);
    const deadline = BigInt(block.time + 600);
    const voucher = await world.client.signVoucher({ user: bob.address, referrer: creator.address, deadline });
    if (voucher === null) throw new Error('No voucher.');
    const step = await world.client.trade(order({ recipient: bob.address }), voucher);
    const message = messageOf(step);
    const again = (change: (data: Uint8Array) => void): PreparedStep['call'] => {
      const instructions = message.instructions.map((one) => {
        const data = Uint8Array.from(one.data);
        if (one.program === wellKnown.ed25519) change(data);
        return { ...one, data };
      });
      const bytes = unsignedTransaction(compileMessage(bob.address, instructions, message.blockhash));
      return { ...step.call, data: hexOf(bytes) };
    };
    expect(again(() => {})).toEqual(step.call);
    for (const at of [2, 6, 112, 112 + 16, 112 + 48, 112 + 80, 112 + 112, 112 + 144])
      expect(() => world.client.decode(again((data) => void (data[at] = (data[at] as number) ^ 1)))).toThrow();
    const forged = again((data) => void (data[60] = (data[60] as number) ^ 1));
    expect(await codeOf(world.land(bob, { ...step, call: forged }))).not.toBe('done');
    expect(await codeOf(world.land(bob, step))).toBe('done');
  });

  it('messageAgain keeps all but the blockhash, and refuses a second signer', async () => {
    const step = await world.client.trade(order(), null);
    const message = bytesOf(step.call.data).subarray(65);
    const { blockhash } = messageOf(step);
    expect(messageAgain(bytesOf(step.call.data), blockhash)).toEqual(message);
    const two = Uint8Array.from([2, ...new Uint8Array(128), ...message]);
    expect(() => messageAgain(two, blockhash)).toThrow();
    expect(sign(null, message, trader.key)).toHaveLength(64);
  });
});

/** Bytes of a prepared transaction in front of its message, of the message in front of its accounts, and behind its instructions. */
const signatures = 1 + 64;
const head = 5;
const noTables = 1;
const toSignature = (signed: Uint8Array): Base58 => toBase58(signed.subarray(1, 65));
