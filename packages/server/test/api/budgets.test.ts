import { randomBytes } from 'node:crypto';
import { until } from '@mintage/devnet/until';
import { encodeApprove, encodeOrder, encodeTransfer, formatUnits } from '@mintage/protocol';
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealed } from '../../src/api/accounts/rowSeals.ts';
import { buildApp, createContext } from '../../src/api/main.ts';
import { basePath } from '../../src/api/wire/limits.ts';
import { createEvmClient } from '../../src/chain/evm/evmClient.ts';
import {
  type Answer,
  executionSlug as chainSlug,
  type ExecutionWorld,
  startExecutionWorld,
  type User,
} from './executionWorld.ts';
import { onePixel } from './trade/tradeWorld.ts';

/** Requests against one budget, so many at once; `BUDGET_REQUESTS=1000` for a release. */
const requests = Number(process.env.BUDGET_REQUESTS ?? 60);
const parallel = Number(process.env.BUDGET_PARALLEL ?? Math.min(requests, 100));

const someAddress = (): Address => `0x${randomBytes(20).toString('hex')}`;

describe('budgets of API keys, judged by a real signer', () => {
  let world: ExecutionWorld;
  let user: User;
  let tokenId: string;
  let token: Address;
  let usd: Address;
  const recipient = someAddress();

  const dollars = async (of: Address): Promise<bigint> => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [of] });
    return BigInt((await world.chain.rpc('eth_call', [{ to: usd, data }, 'latest'])) as Hex);
  };
  const pay = (to: Address, baseUnits: bigint) => ({ to: usd, data: encodeTransfer(to, baseUnits), chainSlug });
  /** Asks again while no signer had the time: nothing happened then. */
  const ask = async (name: 'sendTransaction' | 'tradeToken', input: object, bearer: string): Promise<Answer> => {
    for (;;) {
      const answer = await world.call(name, input, { bearer });
      if (answer.status !== 503) return answer;
    }
  };
  const send = (bearer: string, input: object) => ask('sendTransaction', input, bearer);
  const intentOf = ({ body }: Answer): string => body.intentId ?? body.details.intentId;
  /** Also of a call whose outcome nobody could say, because the database had too much to do. */
  const wasSigned = async (answer: Answer, bearer: string): Promise<boolean> => {
    if (answer.body.code !== 'OUTCOME_UNKNOWN') return answer.status === 200;
    const known = await until(async () => {
      const { status, body } = await world.call('transactionStatus', { intentId: intentOf(answer) }, { bearer });
      return status !== 503 && body.status !== 'queued' ? { status, body } : null;
    });
    return known.status === 200 && known.body.status !== 'failed';
  };
  /** A key whose recipients have waited long enough. */
  const agedKey = async (budget: object): Promise<{ id: string; key: string }> => {
    const madeAt = Date.now();
    const input = { name: 'agent', budget: { recipients: [recipient], ...budget } };
    const { id, key } = await world.done('createApiKey', input, { bearer: user.accessToken });
    const { db, seals } = world.api.context;
    const age = (seal: string | null) =>
      db
        .updateTable('budget')
        .set({ created_at: new Date(madeAt - 25 * 3_600_000), seal })
        .where('credential', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow();
    await age(seals.of(sealed.budget(await age(null))));
    return { id, key };
  };
  const reservedToday = async (id: string): Promise<string> => {
    const { keys } = await world.done('listApiKeys', {}, { bearer: user.accessToken });
    return keys.find((key: { id: string }) => key.id === id).budget.reservedTodayUsd;
  };
  const signedIntents = async (): Promise<number> => {
    const { count } = await world.api.context.db
      .selectFrom('intent')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('status', 'in', ['signed', 'done', 'failed'])
      .executeTakeFirstOrThrow();
    return count;
  };
  const refused = async (bearer: string, input: object, code: string) => {
    const before = await signedIntents();
    const { body } = await send(bearer, input);
    expect(body.code, body.error).toBe(code);
    expect(await signedIntents()).toBe(before);
    return body.error as string;
  };

  beforeAll(async () => {
    world = await startExecutionWorld();
    usd = world.chain.deployment.usd as Address;
    user = await world.newUser();
    const creation = {
      name: 'Budgeted Coin',
      symbol: 'BUD',
      description: 'Bought within limits.',
      image: onePixel,
      chainSlug,
      execute: true,
    };
    const created = await world.done('createTokenTransaction', creation, { bearer: user.accessToken });
    await world.becomes({ intentId: created.intentId }, user.accessToken, 'mined', 'final');
    tokenId = created.metadata.tokenId;
    token = created.metadata.addresses.evm;
    await world.chain.advance(10);
    await world.indexed();
  });
  afterAll(() => world?.stop());

  it(`W4 ${requests} requests at once never spend a cent above the day's budget`, async () => {
    const cap = 100_000_000n;
    const { id, key } = await agedKey({ perDayUsd: formatUnits(cap, 6) });
    const before = { own: await dollars(user.embedded), recipient: await dollars(recipient) };
    const buy = { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 3, execute: true, slippageBps: 300 };
    const order = (at: number) =>
      at % 4 === 0
        ? { isBuy: true, amount: 3_000_000n, name: 'tradeToken' as const, input: buy }
        : paying(BigInt(1 + ((at * 7919) % 1_000)) * 10_000n);
    const paying = (amount: bigint) => ({
      isBuy: false,
      amount,
      name: 'sendTransaction' as const,
      input: pay(recipient, amount),
    });
    const left = Array.from({ length: requests }, (_, at) => order(at));
    const done: { isBuy: boolean; amount: bigint; intentId: string }[] = [];
    let asked = 0;
    let refusals = 0;
    const askUntilDecided = async (): Promise<void> => {
      for (let one = left.shift(); one !== undefined; ) {
        asked += 1;
        const answer = await world.call(one.name, one.input, { bearer: key });
        if (await wasSigned(answer, key)) done.push({ ...one, intentId: intentOf(answer) });
        else if (answer.body.code === 'BUDGET_EXCEEDED') refusals += 1;
        else if (['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN'].includes(answer.body.code)) continue;
        else expect(answer.body).toBeNull();
        one = left.shift();
      }
    };
    await Promise.all(Array.from({ length: parallel }, askUntilDecided));
    console.log(`${requests} requests, ${asked} calls: ${done.length} signed, ${refusals} above the budget`);
    const sum = done.reduce((total, { amount }) => total + amount, 0n);
    expect(refusals).toBeGreaterThan(0);
    expect(sum).toBeLessThanOrEqual(cap);
    expect(await reservedToday(id)).toBe(formatUnits(sum, 6));

    // What is left is given out to the last cent, and then nothing more.
    if (sum < cap) expect((await send(key, pay(recipient, cap - sum))).status).toBe(200);
    await refused(key, pay(recipient, 1n), 'BUDGET_EXCEEDED');
    expect(await reservedToday(id)).toBe(formatUnits(cap, 6));

    // The chain agrees, once all of it is mined.
    for (const one of done) await world.becomes({ intentId: one.intentId }, key, 'mined', 'final');
    await expect.poll(async () => before.own - (await dollars(user.embedded))).toBe(cap);
    const bought = done.filter(({ isBuy }) => isBuy).reduce((total, { amount }) => total + amount, 0n);
    expect((await dollars(recipient)) - before.recipient).toBe(cap - bought);
  });

  it('W4 error: above the cap of a trade, a stranger, a new recipient, native coin, an approval without an end', async () => {
    const { key } = await agedKey({ perTradeUsd: 5 });
    expect(await refused(key, pay(recipient, 5_000_001n), 'BUDGET_EXCEEDED')).toContain('at most 5 at once');
    const buy = { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 5.01, execute: true };
    expect((await ask('tradeToken', buy, key)).body.code).toBe('BUDGET_EXCEEDED');
    await refused(key, pay(someAddress(), 1n), 'RECIPIENT_NOT_ALLOWED');
    await refused(key, { to: recipient, amount: '1', chainSlug }, 'BUDGET_EXCEEDED');
    await refused(key, { to: usd, data: encodeApprove(recipient, 1n), chainSlug }, 'RECIPIENT_NOT_ALLOWED');

    const young = await world.apiKey(user, { budget: { recipients: [recipient] } });
    expect(await refused(young, pay(recipient, 1n), 'RECIPIENT_NOT_ALLOWED')).toContain('is a new recipient');
    expect((await send(young, pay(user.signIn, 1n))).status).toBe(200);

    const unlimited = { to: usd, data: encodeApprove(recipient, maxUint256), chainSlug };
    for (const bearer of [key, await world.apiKey(user), user.accessToken])
      await refused(bearer, unlimited, 'INVALID_PARAMETERS');
  });

  it('W4 a sale for nothing counts what it gives, not what it asks for', async () => {
    const buy = { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 20, execute: true };
    const bought = await ask('tradeToken', buy, user.accessToken);
    await world.becomes({ intentId: bought.body.intentId }, user.accessToken, 'mined', 'final');
    await world.indexed();
    const row = world.api.context.db.selectFrom('token').select('price_usd18').where('address', '=', token);
    const { price_usd18 } = await row.executeTakeFirstOrThrow();
    const amount = BigInt(bought.body.quote.outputAmountRaw);
    const sell = (tokens: bigint, limit: bigint) => {
      const order = { token, amount: tokens, limit, recipient: user.embedded, referral: zeroAddress };
      const data = encodeOrder('sellExactIn', {
        ...order,
        builder: zeroAddress,
        builderBps: 0n,
        deadline: 2n ** 40n,
      });
      return { to: world.chain.deployment.launchpad, data, chainSlug };
    };
    const fair = async (tokens: bigint): Promise<bigint> => {
      const input = { tokenId, chainSlug, direction: 'sell', sellAmountToken: tokens.toString(), slippageBps: 299 };
      const { quote } = await world.done(
        'tradeToken',
        { ...input, userAddress: user.embedded },
        { bearer: user.accessToken },
      );
      return BigInt(quote.limitAmountRaw);
    };
    const { id, key } = await agedKey({ perTradeUsd: 5 });
    await refused(key, sell(amount, 0n), 'SLIPPAGE_TOO_HIGH');
    expect(await refused(key, sell(amount, await fair(amount)), 'BUDGET_EXCEEDED')).toContain('at most 5 at once');
    expect((await send(key, sell(amount / 100n, await fair(amount / 100n)))).status).toBe(200);
    const worth = ((amount / 100n) * (price_usd18 + 1n) + 10n ** 18n - 1n) / 10n ** 18n;
    expect(await reservedToday(id)).toBe(formatUnits(worth, 18));
  });

  it('W4 a key that another process revoked has nothing more signed, though this one still believes it', async () => {
    for (const budget of [undefined, { perDayUsd: 50 }]) {
      const { id, key } = await world.done('createApiKey', { name: 'agent', budget }, { bearer: user.accessToken });
      expect((await send(key, pay(user.signIn, 1n))).status).toBe(200);
      const { config, keys, intentKeys, log, now, db } = world.api.context;
      const other = buildApp(
        await createContext({
          chains: [],
          createClient: createEvmClient,
          config,
          keys,
          intentKeys,
          log,
          now,
          db: db as never,
        }),
      );
      const headers = { authorization: `Bearer ${user.accessToken}`, 'content-type': 'application/json' };
      const url = `${basePath}/api-keys/revoke`;
      const revoked = await other.inject({ method: 'POST', url, headers, payload: JSON.stringify({ id }) });
      expect(revoked.statusCode).toBe(200);
      await refused(key, pay(user.signIn, 1n), 'AUTHENTICATION_FAILED');
      await other.close();
    }
  });

  it('W4 paused: nothing is signed for any credential, until the user resumes; for everybody, until the operator does', async () => {
    const key = await world.apiKey(user, { budget: { perDayUsd: 50 } });
    const input = pay(user.signIn, 1n);
    await world.done('pauseExecution', {}, { bearer: key });
    for (const bearer of [key, user.accessToken]) await refused(bearer, input, 'EXECUTION_PAUSED');
    expect((await world.call('resumeExecution', {}, { bearer: key })).status).toBe(403);
    await world.done('resumeExecution', {}, { bearer: user.accessToken });
    expect((await send(key, input)).status).toBe(200);

    const { db } = world.api.context;
    await db.insertInto('signing_pause').values({ reason: 'an incident' }).execute();
    expect(await refused(user.accessToken, input, 'EXECUTION_PAUSED')).toContain('an incident');
    await db.deleteFrom('signing_pause').execute();
    expect((await send(user.accessToken, input)).status).toBe(200);
  });

  it('behavior: what failed on the chain gives its reservation back', async () => {
    const { id, key } = await agedKey({ perDayUsd: 50 });
    const { rpc } = world.chain;
    const code = await rpc('eth_getCode', [usd, 'latest']);
    await rpc('evm_setAutomine', [false]);
    const { status, body } = await send(key, pay(recipient, 30_000_000n));
    expect(status, body.error).toBe(200);
    expect(await reservedToday(id)).toBe('30');
    // From here on the dollar token reverts, whatever it is asked.
    await rpc('anvil_setCode', [usd, '0x5f5ffd']);
    await world.becomes({ intentId: body.intentId }, key, 'failed');
    await rpc('anvil_setCode', [usd, code]);
    await rpc('evm_setAutomine', [true]);
    expect(await reservedToday(id)).toBe('0');
  });
});
