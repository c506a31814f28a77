import { randomBytes, randomUUID } from 'node:crypto';
import { until } from '@mintage/devnet/until';
import { encodeApprove, encodeMint, encodeTransfer, launchpadAbi } from '@mintage/protocol';
import type { OperationName } from '@mintage/protocol/operations';
import { sql } from 'kysely';
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainContext } from '../../src/chain/chainContext.ts';
import { createEvmClient } from '../../src/chain/evm/evmClient.ts';
import { createPulse } from '../../src/chain/pulse.ts';
import {
  type Answer,
  executionSlug as chainSlug,
  type ExecutionWorld,
  startExecutionWorld,
  type User,
} from './executionWorld.ts';
import { testChain } from './testing/testApi.ts';
import { onePixel } from './trade/tradeWorld.ts';

const keys = Number(process.env.EXECUTE_KEYS ?? 6);
const parallel = Number(process.env.EXECUTE_PARALLEL ?? 4);
const races = Number(process.env.EXECUTE_RACES ?? 25);
const users = Number(process.env.W5_USERS ?? 3);

const someAddress = (): Address => `0x${randomBytes(20).toString('hex')}`;

describe('execution by the embedded wallet', () => {
  let world: ExecutionWorld;
  let user: User;
  let bearer: string;
  let tokenId: string;
  let token: Address;

  const read = async (to: Address, data: Hex): Promise<bigint> =>
    BigInt((await world.chain.rpc('eth_call', [{ to, data }, 'latest'])) as Hex);
  const held = (of: Address, who: Address) =>
    read(of, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [who] }));
  const intents = async (who = user): Promise<number> => {
    const { count } = await world.api.context.db
      .selectFrom('intent')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', who.userId)
      .executeTakeFirstOrThrow();
    return count;
  };
  const creation = (body: object = {}) => ({
    name: 'Executed Coin',
    symbol: 'EXEC',
    description: 'Made without a wallet.',
    image: onePixel,
    chainSlug,
    execute: true,
    ...body,
  });
  const buy = (body: object = {}) => ({
    tokenId,
    chainSlug,
    direction: 'buy',
    buyAmountUSD: 10,
    execute: true,
    ...body,
  });
  const send = (to: Address, amount = '1') => ({ to, amount, chainSlug });
  const expectError = async (name: OperationName, input: object, status: number, code: string, by = bearer) => {
    const answer = await world.call(name, input, { bearer: by });
    expect([answer.status, answer.body.code], JSON.stringify(answer.body)).toEqual([status, code]);
    return answer.body as { error: string; details: unknown };
  };

  beforeAll(async () => {
    world = await startExecutionWorld();
    user = await world.newUser();
    bearer = await world.apiKey(user);
    const created = await world.done('createTokenTransaction', creation({ amountIn: 20 }), { bearer });
    expect(created).toMatchObject({ success: true, executed: true, chainId: world.chain.chain.chainId });
    expect(created.transactions).toHaveLength(2);
    tokenId = created.metadata.tokenId;
    token = created.metadata.addresses.evm;
    const status = await world.becomes({ intentId: created.intentId }, bearer, 'mined', 'final');
    expect(status).toMatchObject({ hash: created.transactionHash, error: null });
    expect(await held(token, user.embedded)).toBe(BigInt(created.quote.outputAmountRaw));
    await world.chain.advance(10);
    await world.indexed();
  });
  afterAll(() => world?.stop());

  it('default: a trade with its approval, what was quoted arrives, and it becomes final', async () => {
    const before = await held(token, user.embedded);
    const answer = await world.done('tradeToken', buy(), { bearer });
    expect(answer).toMatchObject({ executed: true, quote: { simulation: { ok: true } } });
    expect(answer.transactions.map(({ to }: { to: string }) => to)).toEqual([
      world.chain.deployment.usd,
      world.chain.deployment.launchpad,
    ]);
    const final = await world.becomes({ intentId: answer.intentId }, bearer, 'final');
    expect(final).toEqual({
      success: true,
      status: 'final',
      hash: answer.transactionHash,
      blockNumber: expect.any(Number),
      error: null,
    });
    expect((await world.done('transactionStatus', { hash: answer.transactionHash }, { bearer })).status).toBe('final');
    expect((await held(token, user.embedded)) - before).toBe(BigInt(answer.quote.outputAmountRaw));
  });

  it('L8 default: dollars are minted by the embedded wallet, for whoever is named', async () => {
    const { usd } = world.chain.deployment;
    for (const to of [someAddress(), user.signIn]) {
      const input = { chainSlug, amount: 7.5, userAddress: to, execute: true };
      const minted = await world.done('mintUsd', input, { bearer });
      await world.becomes({ hash: minted.transactionHash }, bearer, 'mined', 'final');
      expect(await held(usd, to)).toBe(7_500_000n);
    }
  });

  it('error: `transaction` of a buy alone, which the answer has warned of, also after an open transaction', async () => {
    const other = await world.newUser();
    const by = other.accessToken;
    const minted = await world.done('mintUsd', { chainSlug, amount: 100, execute: true }, { bearer: by });
    await world.becomes({ hash: minted.transactionHash }, by, 'mined', 'final');
    const { launchpad, usd } = world.chain.deployment;
    const missing = new RegExp(`^The launchpad ${launchpad} may take 0 USDC \\(${usd}\\) of the wallet, less than `);
    const codes = ({ warnings }: Answer['body']) => warnings.map(({ code }: { code: string }) => code);
    const alone = async (input: object, name: 'tradeToken' | 'createTokenTransaction') => {
      const prepared = await world.done(name, { ...input, execute: false }, { bearer: by });
      expect(codes(prepared)).toContain('ALLOWANCE_NEEDED');
      const { to, data, value } = prepared.transaction;
      return { to, data, amount: value, chainSlug };
    };
    for (const asked of [
      await alone(buy(), 'tradeToken'),
      await alone(buy({ buyAmountUSD: undefined, buyAmountToken: 1000 }), 'tradeToken'),
      await alone(creation({ amountIn: 10 }), 'createTokenTransaction'),
    ]) {
      const refused = await expectError('sendTransaction', asked, 400, 'INSUFFICIENT_ALLOWANCE', by);
      expect(refused.error).toMatch(missing);
      expect(refused.error).toContain('Send the approval first');
      expect(refused.error).not.toMatch(/fund/i);
    }
    // While something else of the wallet is open, it is tried after that.
    await world.stopSigner();
    const open = world.call('sendTransaction', send(someAddress()), { bearer: by });
    await until(async () => (await intents(other)) === 2);
    const refused = await expectError(
      'sendTransaction',
      await alone(buy(), 'tradeToken'),
      400,
      'INSUFFICIENT_ALLOWANCE',
      by,
    );
    expect(refused.error).toMatch(missing);
    await world.startSigner();
    expect((await open).status).toBe(200);

    // Executed, the approval goes with it.
    const bought = await world.done('tradeToken', buy(), { bearer: by });
    expect([bought.executed, codes(bought).includes('ALLOWANCE_NEEDED')]).toEqual([true, true]);
    await world.becomes({ intentId: bought.intentId }, by, 'mined', 'final');
    const allowed = encodeApprove(launchpad, 50_000_000n);
    const approved = await world.done('sendTransaction', { to: usd, data: allowed, chainSlug }, { bearer: by });
    await world.becomes({ hash: approved.hash }, by, 'mined', 'final');
    const again = await world.done('tradeToken', buy(), { bearer: by });
    expect([again.transactions.length, codes(again).includes('ALLOWANCE_NEEDED')]).toEqual([2, false]);
    await world.becomes({ intentId: again.intentId }, by, 'mined', 'final');
  });

  it('default: not executed unless asked, with the embedded wallet as the sender that nobody named', async () => {
    const before = await intents();
    for (const [name, input] of [
      ['tradeToken', buy({ execute: undefined })],
      ['createTokenTransaction', creation({ execute: false })],
      ['mintUsd', { chainSlug }],
      [
        'transferToken',
        {
          token_id: tokenId,
          recipient_address: user.signIn,
          amount: '1',
          from_chain_slug: chainSlug,
          to_chain_slug: chainSlug,
        },
      ],
    ] as const) {
      const answer = await world.done(name, input, { bearer });
      expect([name, answer.executed, answer.transactionHash, answer.intentId]).toEqual([name, false, '', null]);
    }
    const minted = (await world.done('mintUsd', { chainSlug }, { bearer })).transaction;
    expect(minted.data).toContain(user.embedded.slice(2));
    expect(await intents()).toBe(before);
  });

  it('default: sell, claim, transfer, mint and a plain send', async () => {
    const { usd } = world.chain.deployment;
    const sold = await world.done(
      'tradeToken',
      { tokenId, chainSlug, direction: 'sell', sellAmountToken: 1000, execute: true },
      { bearer },
    );
    await world.becomes({ intentId: sold.intentId }, bearer, 'mined', 'final');
    await world.indexed();

    const fees = await world.done('getUserFees', {}, { bearer });
    const claimable = BigInt(fees.balances[0].claimable_amount);
    expect(claimable).toBeGreaterThan(0n);
    expect(fees.wallets.map(({ address }: { address: string }) => address)).toEqual([user.signIn, user.embedded]);
    const dollars = await held(usd, user.embedded);
    const claimed = await world.done('claimRewards', { execute: true }, { bearer });
    expect(claimed.transactions).toEqual([
      expect.objectContaining({ from: user.embedded, executed: true, error: null, intentId: claimed.intentId }),
    ]);
    await world.becomes({ intentId: claimed.intentId }, bearer, 'mined', 'final');
    expect((await held(usd, user.embedded)) - dollars).toBe(claimable);

    const friend = someAddress();
    const given = await world.done(
      'transferToken',
      {
        token_id: tokenId,
        recipient_address: friend,
        amount: '2.5',
        from_chain_slug: chainSlug,
        to_chain_slug: chainSlug,
        execute: true,
      },
      { bearer },
    );
    await world.becomes({ intentId: given.intentId }, bearer, 'mined', 'final');
    expect(await held(token, friend)).toBe(25n * 10n ** 17n);

    const before = await held(usd, user.embedded);
    const minted = await world.done('mintUsd', { chainSlug, amount: 7, execute: true }, { bearer });
    await world.becomes({ hash: minted.transactionHash }, bearer, 'mined', 'final');
    expect((await held(usd, user.embedded)) - before).toBe(7_000_000n);

    const sent = await world.done('sendTransaction', send(friend, '12345'), { bearer });
    expect(Object.keys(sent).toSorted()).toEqual(['hash', 'intentId', 'success', 'warnings']);
    await world.becomes({ hash: sent.hash }, bearer, 'mined', 'final');
    expect(await world.balance(friend)).toBe(12_345n);

    const paid = await world.done('sendTransaction', { to: friend, chainSlug, usd: '1250001' }, { bearer });
    await world.becomes({ hash: paid.hash }, bearer, 'mined', 'final');
    expect(await held(usd, friend)).toBe(1_250_001n);
  });

  it('default: all as actions, with the action’s name', async () => {
    const envelope = (action: object) => ({ source: 'Testnet', expiresAfter: 60_000, action });
    const friend = someAddress();
    const sent = await world.done('platformAction', envelope({ type: 'sendTransaction', ...send(friend) }), { bearer });
    expect(sent).toMatchObject({ actionType: 'sendTransaction', name: 'sendTransaction', success: true });
    await world.becomes({ hash: sent.hash }, bearer, 'mined', 'final');
    expect(await world.balance(friend)).toBe(1n);
    const traded = await world.done('platformAction', envelope({ type: 'tradeToken', ...buy() }), { bearer });
    expect(traded).toMatchObject({ actionType: 'tradeToken', executed: true });
    await world.becomes({ intentId: traded.intentId }, bearer, 'mined', 'final');
  });

  it('behavior: calls one after the other count on each other before any is mined', async () => {
    const { usd, launchpad } = world.chain.deployment;
    await world.chain.rpc('evm_setAutomine', [false]);
    try {
      const prepared = await world.done('tradeToken', buy({ execute: undefined }), { bearer });
      const sent: string[] = [];
      for (const { to, data, value } of prepared.transactions) {
        const { hash } = await world.done('sendTransaction', { to, data, amount: value, chainSlug }, { bearer });
        sent.push(hash);
      }
      expect(prepared.transactions.map(({ to }: { to: string }) => to)).toEqual([usd, launchpad]);
      const again = await world.done('tradeToken', buy(), { bearer });
      expect(again.transactions).toHaveLength(2);
      for (const hash of [...sent, again.transactionHash]) {
        expect(await world.becomes({ hash }, bearer, 'mined', 'final', 'failed')).toMatchObject({ error: null });
      }
    } finally {
      await world.chain.rpc('evm_setAutomine', [true]);
    }
  });

  it('error: what the simulation refuses is not queued, and says why', async () => {
    const before = await intents();
    const { usd } = world.chain.deployment;
    const tooMuch = await expectError('tradeToken', buy({ buyAmountUSD: 5_000_000 }), 400, 'INSUFFICIENT_BALANCE');
    expect(tooMuch.error).toMatch(/^The wallet holds \d[\d.]* USDC, less than the transaction takes\./);
    await expectError('createTokenTransaction', creation({ amountIn: 5_000_000 }), 400, 'INSUFFICIENT_BALANCE');
    await expectError('sendTransaction', send(someAddress(), 10n ** 30n + ''), 400, 'INSUFFICIENT_BALANCE');
    await expectError(
      'sendTransaction',
      { to: usd, data: encodeTransfer(someAddress(), 10n ** 20n), chainSlug },
      400,
      'INSUFFICIENT_BALANCE',
    );
    const pull = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [world.chain.accounts.alice.address, user.embedded, 1n],
    });
    await expectError('sendTransaction', { to: usd, data: pull, chainSlug }, 400, 'INSUFFICIENT_ALLOWANCE');
    const owner = encodeFunctionData({
      abi: parseAbi(['function transferOwnership(address)']),
      args: [user.embedded],
    });
    await expectError(
      'sendTransaction',
      { to: world.chain.deployment.launchpad, data: owner, chainSlug },
      400,
      'TRANSACTION_FAILED',
    );
    const prepared = await world.done('tradeToken', buy({ execute: undefined, slippageBps: 0, buyAmountUSD: 1 }), {
      bearer,
    });
    const moved = await world.done('tradeToken', buy({ buyAmountUSD: 50 }), { bearer });
    await world.becomes({ intentId: moved.intentId }, bearer, 'mined', 'final');
    const approval = await world.done('sendTransaction', { ...prepared.transactions[0], amount: '0' }, { bearer });
    await world.becomes({ hash: approval.hash }, bearer, 'mined', 'final');
    await expectError('sendTransaction', { ...prepared.transactions[1], amount: '0' }, 400, 'SLIPPAGE_EXCEEDED');
    expect(await intents()).toBe(before + 2);
    // What a page showed is an absolute limit, whatever the slippage would allow by now.
    const unmet = String(BigInt(prepared.quote.outputAmountRaw) * 2n);
    await expectError('tradeToken', buy({ buyAmountUSD: 1, limitAmountRaw: unmet }), 400, 'SLIPPAGE_EXCEEDED');
    expect(await intents()).toBe(before + 2);
  });

  it('error: what only the embedded wallet with a simulation may, and a credential that may execute', async () => {
    const before = await intents();
    expect((await expectError('tradeToken', buy({ simulate: false }), 400, 'INVALID_PARAMETERS')).error).toMatch(
      /simulate/,
    );
    for (const [name, input] of [
      ['tradeToken', buy({ userAddress: user.signIn })],
      ['createTokenTransaction', creation({ userAddress: user.signIn })],
      ['claimRewards', { userAddress: user.signIn, execute: true }],
      [
        'transferToken',
        {
          token_id: tokenId,
          recipient_address: user.signIn,
          amount: '1',
          from_chain_slug: chainSlug,
          to_chain_slug: chainSlug,
          wallet_address: user.signIn,
          execute: true,
        },
      ],
    ] as const) {
      expect((await expectError(name, input, 400, 'INVALID_PARAMETERS')).error).toMatch(/must be your embedded wallet/);
    }
    const timid = await world.apiKey(user, { scopes: ['read', 'prepare'] });
    await expectError('tradeToken', buy(), 403, 'SCOPE_MISSING', timid);
    await expectError('claimRewards', { execute: true }, 403, 'SCOPE_MISSING', timid);
    await expectError('sendTransaction', send(someAddress()), 403, 'SCOPE_MISSING', timid);
    expect((await world.call('tradeToken', buy({ execute: false }), { bearer: timid })).status).toBe(200);
    expect(await intents()).toBe(before);
  });

  it('error: a credential with a budget, and what the signer refuses', async () => {
    const agent = await world.apiKey(user, { budget: { perTradeUsd: 5, perDayUsd: 100 } });
    await expectError('tradeToken', buy(), 403, 'BUDGET_EXCEEDED', agent);
    await expectError('sendTransaction', send(someAddress()), 403, 'BUDGET_EXCEEDED', agent);
    const gift = { to: token, data: encodeTransfer(someAddress(), 1n), chainSlug };
    await expectError('sendTransaction', gift, 403, 'RECIPIENT_NOT_ALLOWED', agent);
    await expectError('tradeToken', buy({ buyAmountUSD: 1, slippageBps: 301 }), 400, 'SLIPPAGE_TOO_HIGH', agent);
    const small = await world.done('tradeToken', buy({ buyAmountUSD: 1, slippageBps: 300 }), { bearer: agent });
    await world.becomes({ intentId: small.intentId }, agent, 'mined', 'final');
    const free = await world.done('tradeToken', buy({ buyAmountUSD: 1, slippageBps: 400 }), { bearer });
    await world.becomes({ intentId: free.intentId }, bearer, 'mined', 'final');

    await world.done('pauseExecution', {}, { bearer: user.accessToken });
    const refused = await world.call('tradeToken', buy({ buyAmountUSD: 1 }), { bearer, idempotencyKey: 'paused' });
    expect([refused.status, refused.body.code]).toEqual([403, 'EXECUTION_PAUSED']);
    await world.done('resumeExecution', {}, { bearer: user.accessToken });
    const again = await world.done('tradeToken', buy({ buyAmountUSD: 1 }), { bearer, idempotencyKey: 'paused' });
    expect(again.executed).toBe(true);
    await world.becomes({ intentId: again.intentId }, bearer, 'mined', 'final');
  });

  it('error: a deadline that passes while nobody signs', async () => {
    await world.stopSigner();
    try {
      const asked = world.call('tradeToken', buy(), { bearer });
      // As if the time were over.
      await until(async () => {
        const { numUpdatedRows } = await world.api.context.db
          .updateTable('intent')
          .set({ expires_at: sql<Date>`now()` })
          .where('status', '=', 'queued')
          .executeTakeFirstOrThrow();
        return numUpdatedRows === 1n;
      });
      await world.startSigner();
      const { status, body } = await asked;
      expect([status, body.code]).toEqual([400, 'DEADLINE_PASSED']);
    } finally {
      await world.stopSigner();
      await world.startSigner();
    }
  });

  it('W1 error: no signer is 503, nothing is queued or sent, and it works again when there is one', async () => {
    await world.stopSigner();
    const { patience } = world.api.context;
    const usual = patience.signatureMs;
    patience.signatureMs = 300;
    const to = someAddress();
    try {
      const nonce = await world.nonce(user.embedded);
      const { error } = await expectError('sendTransaction', send(to), 503, 'SERVICE_UNAVAILABLE');
      expect(error).toMatch(/nothing was executed, and nothing will be/);
      expect((await world.call('tradeToken', buy(), { bearer })).status).toBe(503);
      expect((await world.call('tradeToken', buy({ execute: false }), { bearer })).status).toBe(200);
      patience.signatureMs = usual;
      await world.startSigner();
      const queued = await world.api.context.db
        .selectFrom('intent')
        .select('intent_id')
        .where('status', '=', 'queued')
        .execute();
      expect(queued).toEqual([]);
      const sent = await world.done('sendTransaction', send(someAddress()), { bearer });
      await world.becomes({ hash: sent.hash }, bearer, 'mined', 'final');
      expect([await world.nonce(user.embedded), await world.balance(to)]).toEqual([nonce + 1, 0n]);
    } finally {
      patience.signatureMs = usual;
    }
  });

  it('W1 taking back and signing at the same moment: refused is never sent, and sent is never refused', async () => {
    const { patience } = world.api.context;
    const usual = patience.signatureMs;
    const tried: { to: Address; status: number; hash?: string }[] = [];
    try {
      // Shorter after a signature, longer after a refusal: it stays where both happen at once.
      patience.signatureMs = 100;
      for (let run = 0; run < races; run += 1) {
        const to = someAddress();
        const { status, body } = await world.call('sendTransaction', send(to), { bearer });
        tried.push({ to, status, hash: body.hash });
        patience.signatureMs *= status === 200 ? 0.85 : 1.15;
      }
    } finally {
      patience.signatureMs = usual;
    }
    // Whatever was signed before this is mined before it.
    const last = await world.done('sendTransaction', send(someAddress()), { bearer });
    await world.becomes({ hash: last.hash }, bearer, 'mined', 'final');
    for (const { to, status, hash } of tried) {
      expect([status, await world.balance(to)]).toEqual(hash === undefined ? [503, 0n] : [200, 1n]);
    }
  });

  it('error: OUTCOME_UNKNOWN when the database lets nobody know, with the intent to ask for', async () => {
    const { db, patience } = world.api.context;
    const usual = patience.signatureMs;
    const to = someAddress();
    await world.stopSigner();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const key = randomUUID();
    try {
      patience.signatureMs = 5_000;
      const asked = world.call('sendTransaction', send(to), { bearer, idempotencyKey: key });
      const queued = () =>
        db
          .selectFrom('intent')
          .select('intent_id')
          .where('status', '=', 'queued')
          .where('user_id', '=', user.userId)
          .executeTakeFirst();
      await until(queued);
      const locked = db.transaction().execute(async (tx) => {
        await sql`lock table intent in access exclusive mode`.execute(tx);
        await released;
      });
      const { status, body } = await asked;
      release();
      await locked;
      expect([status, body.code], JSON.stringify(body)).toEqual([500, 'OUTCOME_UNKNOWN']);
      await world.startSigner();
      // It may have been taken back late, or signed: its own status tells, and the chain agrees.
      const { intentId } = body.details;
      const end = await world.becomes({ intentId }, bearer, 'mined', 'final', 'failed');
      expect(await world.balance(to)).toBe(end.status === 'failed' ? 0n : 1n);
      const row = await db
        .selectFrom('idempotent_call')
        .select('finished_at')
        .where('key', '=', key)
        .executeTakeFirst();
      expect(row).toEqual({ finished_at: null });
    } finally {
      release();
      patience.signatureMs = usual;
    }
  });

  /** As a client does it: what is not done now is asked again with the same key. */
  const doneWithKey = async (name: OperationName, input: object, idempotencyKey: string) =>
    until(async () => {
      const { status, body } = await world.call(name, input, { bearer, idempotencyKey });
      if (status === 503 || body.code === 'IDEMPOTENCY_IN_PROGRESS') return null;
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    });

  it('R5 many equal executions at once have one effect for each key', async () => {
    const wanted = Array.from({ length: keys }, () => ({ to: someAddress(), key: randomUUID() }));
    const times = <T>(ask: () => T): T[] => Array.from({ length: parallel }, ask);
    const answers = await Promise.all(
      wanted.flatMap(({ to, key }) => times(() => doneWithKey('sendTransaction', send(to), key))),
    );
    for (const [index, { to }] of wanted.entries()) {
      const own = answers.slice(index * parallel, (index + 1) * parallel);
      expect(new Set(own.map(({ hash }) => hash)).size).toBe(1);
      await world.becomes({ hash: own[0].hash }, bearer, 'mined', 'final');
      expect(await world.balance(to)).toBe(1n);
    }
    const trade = buy({ buyAmountUSD: 1 });
    const traded = await Promise.all(times(() => doneWithKey('tradeToken', trade, randomUUID())));
    const sameKey = randomUUID();
    const once = await Promise.all(times(() => doneWithKey('tradeToken', trade, sameKey)));
    expect(new Set(once.map(({ transactionHash }) => transactionHash)).size).toBe(1);
    for (const { intentId } of [...traded, ...once.slice(0, 1)]) {
      expect(await world.becomes({ intentId }, bearer, 'mined', 'final', 'failed')).toMatchObject({ error: null });
    }
  });

  it('R5 the same key without execute is no write, and another body with it is refused', async () => {
    const key = randomUUID();
    expect((await world.call('tradeToken', buy({ execute: false }), { bearer, idempotencyKey: key })).status).toBe(200);
    const first = await world.call('tradeToken', buy({ buyAmountUSD: 1 }), { bearer, idempotencyKey: key });
    expect([first.status, first.headers['ratelimit-policy']]).toEqual([200, expect.stringMatching(/^"write"/)]);
    const other = await world.call('tradeToken', buy({ buyAmountUSD: 2 }), { bearer, idempotencyKey: key });
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    const replayed = await world.call('tradeToken', buy({ buyAmountUSD: 1 }), { bearer, idempotencyKey: key });
    expect([replayed.body.intentId, replayed.headers['idempotent-replayed']]).toEqual([first.body.intentId, 'true']);
  });

  it('W5 nobody makes the wallet of another act, by any field', async () => {
    const people = await Promise.all(Array.from({ length: users }, () => world.newUser()));
    const before = await Promise.all(people.map(({ embedded }) => world.nonce(embedded)));
    const mine = await world.done('sendTransaction', send(someAddress()), { bearer });
    const transfer = { token_id: tokenId, amount: '1', from_chain_slug: chainSlug, to_chain_slug: chainSlug };
    for (const [index, thief] of people.entries()) {
      const victim = people[(index + 1) % users] as User;
      for (const named of [victim.embedded, victim.signIn, user.embedded]) {
        const by = thief.accessToken;
        const unknown = { from: named, wallet: named, user_id: victim.userId };
        const fields = { userAddress: named, wallet_address: named, ...unknown };
        const toThief = { ...transfer, recipient_address: thief.embedded, execute: true };
        // By the field that there is, and by those that there are not.
        for (const naming of [{ userAddress: named }, fields]) {
          await expectError('tradeToken', buy(naming), 400, 'INVALID_PARAMETERS', by);
          await expectError('createTokenTransaction', creation(naming), 400, 'INVALID_PARAMETERS', by);
        }
        for (const naming of [{ wallet_address: named }, fields]) {
          await expectError('transferToken', { ...toThief, ...naming }, 400, 'INVALID_PARAMETERS', by);
        }
        const claim = { execute: true, userAddress: named };
        await expectError('claimRewards', claim, 401, 'AUTHENTICATION_FAILED', by);
        await expectError('claimRewards', { ...claim, ...unknown }, 400, 'INVALID_PARAMETERS', by);
        const pull = encodeFunctionData({
          abi: erc20Abi,
          functionName: 'transferFrom',
          args: [named, thief.embedded, 1n],
        });
        const asked = { to: world.chain.deployment.usd, data: pull, chainSlug, ...fields };
        await expectError('sendTransaction', asked, 400, 'INSUFFICIENT_ALLOWANCE', by);
      }
      await expectError(
        'transactionStatus',
        { intentId: mine.intentId },
        404,
        'TRANSACTION_NOT_FOUND',
        thief.accessToken,
      );
      await expectError(
        'transactionStatus',
        { hash: mine.hash, chainSlug },
        404,
        'TRANSACTION_NOT_FOUND',
        thief.accessToken,
      );
    }
    expect(await Promise.all(people.map(({ embedded }) => world.nonce(embedded)))).toEqual(before);
    expect(await Promise.all(people.map((one) => intents(one)))).toEqual(people.map(() => 0));
  });

  it('behavior: a wallet that was made and not linked, because a process ended, is linked by the next use', async () => {
    const { db } = world.api.context;
    const other = await world.newUser();
    await db.deleteFrom('user_wallet').where('address', '=', other.embedded).execute();
    await db.deleteFrom('earner_wallet').where('wallet', '=', other.embedded).execute();
    world.api.context.auth.forgetUser(other.userId);
    const fees = await world.done('getUserFees', {}, { bearer: other.accessToken });
    expect(fees.wallets).toHaveLength(1);
    const sent = await world.done('sendTransaction', send(someAddress()), { bearer: other.accessToken });
    await world.becomes({ hash: sent.hash }, other.accessToken, 'mined', 'final');
    const linked = await db.selectFrom('earner_wallet').selectAll().where('wallet', '=', other.embedded).execute();
    expect(linked).toEqual([expect.objectContaining({ account: other.signIn })]);
    const after = await world.done('getUserFees', {}, { bearer: other.accessToken });
    expect(after.wallets.map(({ address }: { address: string }) => address)).toEqual([other.signIn, other.embedded]);
  });

  it('behavior: what own wallets sent without the service is found on its chain', async () => {
    const { accounts, wallet } = world.chain;
    const { message } = await world.done('authChallenge', { address: accounts.bob.address });
    const { accessToken } = await world.done('authLogin', {
      message,
      signature: await accounts.bob.signMessage({ message }),
    });
    const receipt = await wallet.send(accounts.bob, { to: someAddress(), data: '0x' });
    const hash = receipt.transactionHash;
    const found = await world.done(
      'transactionStatus',
      { hash: hash.toUpperCase().replace('0X', '0x'), chainSlug },
      { bearer: accessToken },
    );
    expect(found).toMatchObject({
      status: expect.stringMatching(/mined|final/),
      hash,
      blockNumber: receipt.blockNumber,
      error: null,
    });
    await expectError('transactionStatus', { hash }, 404, 'TRANSACTION_NOT_FOUND', accessToken);
    await expectError('transactionStatus', { hash, chainSlug }, 404, 'TRANSACTION_NOT_FOUND');
    await expectError(
      'transactionStatus',
      { hash: `0x${'0'.repeat(64)}`, chainSlug },
      404,
      'TRANSACTION_NOT_FOUND',
      accessToken,
    );
    const data = encodeFunctionData({
      abi: launchpadAbi,
      functionName: 'withdraw',
      args: [world.chain.deployment.usd, accounts.bob.address, 5n],
    });
    const reverted = async (data: Hex) => {
      const { launchpad } = world.chain.deployment;
      await wallet.send(accounts.bob, { to: launchpad, data, gas: 1_000_000n }).catch(() => undefined); // reverts
      const block = (await world.chain.rpc('eth_getBlockByNumber', ['latest', false])) as { transactions: string[] };
      const asked = { hash: block.transactions[0], chainSlug };
      const failed = await world.done('transactionStatus', asked, { bearer: accessToken });
      expect(failed.status).toBe('reverted');
      expect((await world.done('getTransaction', asked)).error).toBe(failed.error);
      return failed.error;
    };
    expect(await reverted(data)).toMatch(/credited/);
    const ask = buy({ execute: false, userAddress: accounts.bob.address });
    const unapproved = (await world.done('tradeToken', ask, { bearer: accessToken })).transaction.data;
    expect(await reverted(unapproved)).toMatch(/^The wallet holds 0 USDC, less than the transaction takes/);
    const mint = encodeMint(accounts.bob.address, 10n ** 9n);
    await wallet.send(accounts.bob, { to: world.chain.deployment.usd, data: mint });
    expect(await reverted(unapproved)).toMatch(/^The launchpad 0x\w+ may take 0 USDC \(0x\w+\) of the wallet, less /);
  });

  it('behavior: a claim without a wallet named takes the first of the wallets that has something', async () => {
    await world.indexed();
    const { transactions } = await world.done('claimRewards', {}, { bearer });
    expect(transactions.map(({ from }: { from: string }) => from)).toEqual([user.embedded]);
    const { chain, deployment } = world.chain;
    const credit = {
      eid: chain.eid,
      recipient: user.signIn,
      currency: deployment.usd,
      earned: 5n,
      claimable: 5n,
    };
    await world.api.context.db
      .insertInto('fee_balance')
      .values({ ...credit, last_distribution_at: null })
      .execute();
    const first = await world.done('claimRewards', {}, { bearer });
    expect(first.transactions.map(({ from }: { from: string }) => from)).toEqual([user.signIn]);
    const rest = ({ warnings }: Answer['body']) =>
      warnings.map(({ code, sentence }: Record<string, string>) => [code, sentence]);
    expect(rest(first)).toEqual([
      ['CLAIM_OTHER_WALLET', expect.stringMatching(new RegExp(`^Your wallet ${user.embedded} .*\`userAddress\`\\.$`))],
    ]);
    const executed = await world.done('claimRewards', { execute: true }, { bearer });
    expect(executed.transactions.map(({ from }: { from: string }) => from)).toEqual([user.embedded]);
    expect(rest(executed)).toEqual([
      [
        'CLAIM_OTHER_WALLET',
        `Your wallet ${user.signIn} can claim 0.000005 USDC on Base Sepolia too: ask again with it as \`userAddress\` and without \`execute\`, because it signs itself.`,
      ],
    ]);
    await world.becomes({ intentId: executed.intentId }, bearer, 'mined', 'final');
    await world.api.context.db.deleteFrom('fee_balance').where('recipient', '=', user.signIn).execute();
  });

  it('behavior: a claim on several chains is executed on each by itself, and says which was not', async () => {
    const bought = await world.done('tradeToken', buy(), { bearer });
    await world.becomes({ intentId: bought.intentId }, bearer, 'mined', 'final');
    await world.indexed();
    const { context } = world.api;
    const dead = testChain('unichain-testnet', 'http://127.0.0.1:1');
    const { chain } = dead;
    const client = createEvmClient(dead, { log: context.log, now: context.now, voucherKey: null });
    const chains = context.chains as Map<string, ChainContext>;
    const credit = { eid: chain.eid, recipient: user.embedded, currency: dead.deployment.usd };
    const amounts = { earned: 9n, claimable: 9n, last_distribution_at: null };
    await context.db
      .insertInto('fee_balance')
      .values({ ...credit, ...amounts })
      .execute();
    const moves = createPulse({ slug: chain.slug, staleAfterMs: Number.POSITIVE_INFINITY, now: Date.now });
    const pulses = { indexPulse: moves, headPulse: moves };
    chains.set(chain.slug, { chain, deployment: dead.deployment, client, ...pulses, publicRpcUrl: null, local: true });
    try {
      const claimed = await world.done('claimRewards', { execute: true }, { bearer });
      expect(claimed).toMatchObject({ success: true, executed: false, transactionHash: expect.stringMatching(/^0x/) });
      const on = (slug: string) => claimed.transactions.find((one: { chainSlug: string }) => one.chainSlug === slug);
      expect(on(chainSlug)).toMatchObject({ executed: true, error: null, intentId: claimed.intentId });
      expect(on(chain.slug)).toMatchObject({ executed: false, transactionHash: '', intentId: null });
      expect(on(chain.slug).error).toMatch(/down/);
      await world.becomes({ intentId: claimed.intentId }, bearer, 'mined', 'final');
      await expectError('claimRewards', { execute: true, chains: [chain.slug] }, 503, 'NETWORK_ERROR');
    } finally {
      chains.delete(chain.slug);
      await client.stop();
      await context.db.deleteFrom('fee_balance').where('eid', '=', chain.eid).execute();
    }
  });
});
