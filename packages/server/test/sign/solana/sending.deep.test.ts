import { changing, type Proxy, startProxy } from '@mintage/devnet';
import { campaign } from '@mintage/devnet/random';
import type { Base58 } from '@mintage/protocol';
import { isOnCurve, keyBytes, readTransaction, tokenAccountOf, wellKnown } from '@mintage/protocol/solana';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf, hexOf } from '../../../src/chain/solana/bytes.ts';
import { compileMessage, unsignedTransaction } from '../../../src/chain/solana/message/compile.ts';
import { openTokenAccount } from '../../../src/chain/solana/message/instructions.ts';
import { getLatestBlockhash } from '../../../src/chain/solana/rpc/calls.ts';
import { accessTo } from '../../../src/sign/solana/chainAccess.ts';
import { graduationOf } from '../../../src/sign/solana/graduation.ts';
import { create, factsOf } from '../../chain/solana/trading.ts';
import { newWallet } from '../../chain/solana/world.ts';
import { startWorld, type User, type World } from './world.ts';

/** Slots after which a blockhash of now is good for nothing, and more than that for good. */
const lifetime = 151;
const untilFinal = 40;

describe('embedded wallets on Solana', () => {
  let world: World;
  let user: User;
  beforeAll(async () => {
    world = await startWorld();
    await world.startSigner();
    user = await world.newUser();
  });
  afterAll(() => world?.stop());
  afterEach(() => world.on.node.clearFaults());

  /** Has signed bytes of the intent. */
  const signed = (id: string, count = 1) =>
    expect.poll(async () => (await world.attempts(id)).length, { interval: 10 }).toBe(count);
  const status = async (id: string) => (await world.steps(id)).map((one) => one.status);
  /** Of the newest final block. */
  const height = () =>
    world.on.wire.request({ method: 'getBlockHeight', params: [{ commitment: 'finalized' }] }, 5_000);

  it('default: a key is made, sealed, and is the key of its address', async () => {
    expect(isOnCurve(keyBytes(user.wallet))).toBe(true);
    const id = await world.wishUsd(user, 1_500_000n);
    await expect.poll(() => status(id), { interval: 10 }).toEqual(['sent']);
    world.on.mine(2);
    await expect.poll(() => status(id), { interval: 10 }).toEqual(['mined']);
    expect(await world.dollars(user)).toBe(1_500_000n);
    await world.ends(id);
    expect(await world.intent(id)).toEqual({ status: 'done', error_code: null, error: null });
    expect(await world.attempts(id)).toHaveLength(1);
  });

  it('W1 behavior: the same bytes are sent until a block holds them, whatever becomes of each send', async () => {
    const before = await world.dollars(user);
    world.on.node.fault({ method: 'sendTransaction', kind: 'cut', times: 5 });
    world.on.node.fault({ method: 'sendTransaction', kind: 'error', times: 5 });
    const id = await world.wishUsd(user, 7n);
    await world.ends(id);
    expect(await world.attempts(id)).toHaveLength(1);
    expect((await world.dollars(user)) - before).toBe(7n);
  });

  it('S112 behavior: signed a second time only when a final block is above the last that could hold the first', async () => {
    const before = await world.dollars(user);
    world.on.node.fault({ method: 'sendTransaction', kind: 'error' });
    const id = await world.wishUsd(user, 11n);
    await signed(id);
    const [first] = await world.attempts(id);
    world.on.mine(lifetime);
    expect(await height()).toBeLessThanOrEqual(first?.valid_until_block as number);
    await new Promise((resolve) => setTimeout(resolve, 300)); // several turns of the signer
    expect(await world.attempts(id)).toHaveLength(1);
    world.on.node.clearFaults();
    world.on.mine(untilFinal);
    expect(await height()).toBeGreaterThan(first?.valid_until_block as number);
    await signed(id, 2);
    await world.ends(id);
    expect((await world.intent(id)).status).toBe('done');
    expect((await world.dollars(user)) - before).toBe(11n);
  });

  it('S112 behavior: bytes that landed while nobody told us are found, and not signed again', async () => {
    const before = await world.dollars(user);
    const id = await world.wishUsd(user, 13n);
    await expect.poll(() => status(id), { interval: 10 }).toEqual(['sent']);
    await world.stopSigner();
    world.on.mine(lifetime + untilFinal);
    await world.startSigner();
    await world.ends(id);
    expect(await world.attempts(id)).toHaveLength(1);
    expect((await world.dollars(user)) - before).toBe(13n);
  });

  it('S112 attack: a provider that hides what landed has nothing signed a second time', async () => {
    const proxies: Proxy[] = [];
    try {
      for (let at = 0; at < 3; at += 1) proxies.push(await startProxy(world.on.node.url));
      const [liar] = proxies as [Proxy];
      liar.intercept = changing('getSignatureStatuses', (result) => ({ ...(result as object), value: [null] }));
      await world.stopSigner();
      await world.startSigner(proxies.map(({ url }) => url));
      const before = await world.dollars(user);
      const id = await world.wishUsd(user, 17n);
      await world.mineUntil(async () => (await world.steps(id)).some((one) => one.status === 'mined'));
      world.on.mine(lifetime + untilFinal);
      await world.ends(id);
      expect(await world.attempts(id)).toHaveLength(1);
      expect((await world.dollars(user)) - before).toBe(17n);
    } finally {
      await world.stopSigner();
      await world.startSigner();
      await Promise.all(proxies.map((proxy) => proxy.stop()));
    }
  });

  it('behavior: a fork takes the block, and the same bytes land again, once', async () => {
    const before = await world.dollars(user);
    const id = await world.wishUsd(user, 19n);
    await world.mineUntil(async () => (await world.steps(id)).some((one) => one.status === 'mined'));
    world.on.node.reorg(3);
    world.on.mine(2);
    await world.ends(id);
    expect((await world.intent(id)).status).toBe('done');
    expect(await world.attempts(id)).toHaveLength(1);
    expect((await world.dollars(user)) - before).toBe(19n);
  });

  it('behavior: two wishes for the same are two transactions', async () => {
    const before = await world.dollars(user);
    const ids = await Promise.all([world.wishUsd(user, 23n), world.wishUsd(user, 23n)]);
    for (const id of ids) await world.ends(id);
    expect((await world.dollars(user)) - before).toBe(46n);
  });

  it('error: a deadline that passes before any block took it ends it, once none can', async () => {
    world.on.node.fault({ method: 'sendTransaction', kind: 'error' });
    const id = await world.wishUsd(user, 29n, { expiresIn: 6 });
    await signed(id);
    await new Promise((resolve) => setTimeout(resolve, 6_100));
    expect((await world.intent(id)).status).toBe('signed');
    world.on.mine(lifetime + untilFinal);
    await world.ends(id);
    expect(await world.intent(id)).toMatchObject({ status: 'failed', error_code: 'DEADLINE_PASSED' });
  });

  it('K1 error: while its bytes can land, rows that say otherwise do not end it, and the budget goes on counting it', async () => {
    world.on.node.fault({ method: 'sendTransaction', kind: 'error' });
    const id = await world.wishUsd(user, 31n);
    await signed(id);
    const [first] = await world.attempts(id);
    await world.db.updateTable('attempt').set({ valid_until_block: 0 }).where('intent_id', '=', id).execute();
    await world.db
      .updateTable('intent')
      .set({ expires_at: new Date(0) })
      .where('intent_id', '=', id)
      .execute();
    await world.ends(id);
    expect(await height()).toBeGreaterThan(first?.valid_until_block as number);
  });

  it('behavior: dollars go out by a transaction that the user brings', async () => {
    const { client, served, wire } = world.on;
    const usd = served.deployment.usd as Base58;
    await world.ends(await world.wishUsd(user, 3_000_000n));
    const { address: stranger } = newWallet();
    const [from, to] = [user.wallet, stranger].map((one) => tokenAccountOf(one, usd, 'token')) as [Base58, Base58];
    const amount = new Uint8Array(new BigUint64Array([2_500_000n]).buffer);
    const account = (address: Base58, isSigner = false, isWritable = false) => ({ address, isSigner, isWritable });
    const payment = {
      program: wellKnown.token as Base58,
      accounts: [account(from, false, true), account(usd), account(to, false, true), account(user.wallet, true)],
      data: Uint8Array.from([12, ...amount, 6]),
    };
    const opening = openTokenAccount(user.wallet, stranger, usd, 'token');
    const { blockhash } = await wire.request(getLatestBlockhash(), 5_000);
    const data = hexOf(unsignedTransaction(compileMessage(user.wallet, [opening, payment], blockhash)));
    const id = await world.wish(user, [
      { call: { to: served.deployment.launchpad, data, value: 2_100_000n }, gasBound: 0n },
    ]);
    await world.ends(id);
    expect(await world.intent(id)).toMatchObject({ status: 'done' });
    expect(await client.usdBalance(stranger)).toBe(2_500_000n);
  });

  it('behavior: the keeper’s transaction opens the pool of a token that was sold out in its first seconds', async () => {
    const { client, served, node } = world.on;
    const rich = await world.on.person(200_000_000_000n);
    const token = await create(world.on, rich);
    const order = { kind: 'buyExactIn', token, amount: 190_000_000_000n, limit: 1n, recipient: rich.address } as const;
    const terms = { builder: null, referral: null, deadline: 2 ** 32, venue: 'lastOfCurve' } as const;
    await world.on.land(rich, await client.trade({ ...order, ...terms }, null));
    node.addSeconds(60);
    world.on.mine();
    const market = async () => (await client.readMarket(factsOf(token), rich.address, false)).market;
    expect((await market())?.curve?.tokensLeft).toBe(0n);
    const chain = accessTo(served, { info() {}, warn() {}, error() {} });
    try {
      const call = await graduationOf(chain, user.wallet, token);
      const id = await world.wish(user, [{ call, gasBound: BigInt(call.gasLimit) }]);
      await world.ends(id);
      expect(await world.intent(id)).toMatchObject({ status: 'done' });
    } finally {
      await chain.rpc.stop();
    }
    expect(await market()).toMatchObject({ curve: null, pool: { supply: 10n ** 15n } });
  });

  describe('refusals', () => {
    const refusalOf = async (id: string) => {
      await world.ends(id);
      return world.intent(id);
    };

    it('error: what would fail now is refused with the program’s reason, and nothing is signed', async () => {
      const { client, served } = world.on;
      const salt = client.newSalt(user.wallet);
      const facts = { name: 'Paper Boat', symbol: 'BOAT', uri: 'https://example.org/1.json', poolType: 7 };
      const deadline = 2 ** 32; // the chain's clock is not ours
      const made = await world.wish(user, [
        await client.create({ creator: user.wallet, ...facts, salt, deadline }, null, null),
      ]);
      await world.ends(made);
      expect(await world.intent(made)).toMatchObject({ status: 'done' });
      const token = client.tokenAddress(user.wallet, salt);
      const order = {
        kind: 'buyExactIn',
        token,
        amount: 1_000_000n,
        limit: 2n ** 60n,
        recipient: user.wallet,
      } as const;
      const step = await client.trade({ ...order, builder: null, referral: null, deadline, venue: 'curve' }, null);
      const id = await world.wish(user, [step]);
      expect(await refusalOf(id)).toMatchObject({ status: 'refused', error_code: 'SLIPPAGE_EXCEEDED' });
      expect(await world.attempts(id)).toEqual([]);
      expect(step.call.to).toBe(served.deployment.launchpad);
    });

    it('W5 error: a transaction of another wallet', async () => {
      const other = await world.newUser();
      const id = await world.wish(user, [await world.on.client.mintUsd(other.wallet, other.wallet, 1n)]);
      expect(await refusalOf(id)).toMatchObject({ status: 'refused', error_code: 'INVALID_PARAMETERS' });
    });

    it('W4 error: bytes that no service of ours prepares', async () => {
      const step = await world.on.client.mintUsd(user.wallet, user.wallet, 1n);
      const { message } = readTransaction(bytesOf(step.call.data));
      const [last] = message.instructions.slice(-1);
      const data = Uint8Array.of(2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0); // a lamport for somebody
      const accounts = [user.wallet, world.on.deployed.accounts.owner.address].map((address, at) => ({
        address: address as Base58,
        isSigner: at === 0,
        isWritable: true,
      }));
      const payment = { program: wellKnown.system as Base58, accounts, data };
      const withPayment = compileMessage(user.wallet, [...message.instructions, payment], message.blockhash);
      const dear = {
        program: wellKnown.computeBudget as Base58,
        accounts: [],
        data: Uint8Array.of(3, 0, 0, 0, 0, 0, 1, 0, 0),
      };
      const withFee = compileMessage(user.wallet, [dear, last as NonNullable<typeof last>], message.blockhash);
      const wrong: [`0x${string}`, RegExp][] = [
        [`${step.call.data}00`, /prepare it with this service/],
        [hexOf(unsignedTransaction(withPayment)), /prepare it with this service/],
        [hexOf(unsignedTransaction(withFee)), /lamports for its fee; at most 1000000/],
      ];
      for (const [bytes, sentence] of wrong) {
        const said = await refusalOf(await world.wish(user, [{ ...step, call: { ...step.call, data: bytes } }]));
        expect(said).toMatchObject({ error_code: 'INVALID_PARAMETERS', error: expect.stringMatching(sentence) });
      }
    });

    it('error: INSUFFICIENT_BALANCE says what is there and what is needed', async () => {
      const rich = await world.newUser();
      const step = await world.on.client.mintUsd(rich.wallet, rich.wallet, 1n);
      const dear = { ...step, call: { ...step.call, value: 20_000_000_000n } };
      expect(await refusalOf(await world.wish(rich, [dear]))).toMatchObject({
        error_code: 'INSUFFICIENT_BALANCE',
        error: expect.stringMatching(/has 10000000000 lamports .* 2000000\d+ are needed/),
      });
    });

    it('error: DEADLINE_PASSED when nobody signed in time', async () => {
      await world.stopSigner();
      const id = await world.wishUsd(user, 1n, { expiresIn: -1 });
      await world.startSigner();
      expect(await refusalOf(id)).toMatchObject({ status: 'refused', error_code: 'DEADLINE_PASSED' });
    });
  });

  it('W1 S112 random trouble: providers that fail, forks, lifetimes that pass, signers that end anywhere; each wish once', async () => {
    const { random, cases } = campaign('wishes on Solana', 12);
    const someone = await world.newUser();
    world.on.mine(20); // no fork below takes the coins that they pay with
    let wanted = 0n;
    for (let at = 0; at < cases; at += 1) {
      const amount = BigInt(1 + random.int(1_000_000));
      const { node } = world.on;
      const step = await world.on.client.mintUsd(someone.wallet, someone.wallet, amount);
      for (const method of [
        'sendTransaction',
        'getSignatureStatuses',
        'getTransaction',
        'getLatestBlockhash',
        'getBlockHeight',
      ])
        if (random.chance(3))
          node.fault({
            method,
            kind: random.pick(['error', 'cut']),
            oneOf: 1 + random.int(3),
            times: 1 + random.int(6),
          });
      const id = await world.wish(someone, [step]);
      wanted += amount;
      for (let trouble = random.int(4); trouble > 0; trouble -= 1) {
        const what = random.pick(['fork', 'age', 'restart', 'blocks'] as const);
        if (what === 'fork') node.reorg(1 + random.int(5));
        if (what === 'age') world.on.mine(lifetime - 20 + random.int(60));
        if (what === 'blocks') world.on.mine(1 + random.int(4));
        if (what === 'restart') {
          await world.stopSigner();
          await world.startSigner();
        }
        await new Promise((resolve) => setTimeout(resolve, random.int(60)));
      }
      node.clearFaults();
      await world.ends(id);
      expect([at, (await world.intent(id)).status]).toEqual([at, 'done']);
      expect([at, await world.dollars(someone)]).toEqual([at, wanted]);
    }
  });
});
