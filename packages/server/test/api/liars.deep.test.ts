import { randomBytes } from 'node:crypto';
import { changing, devAccounts, type Intercept, replacing } from '@mintage/devnet';
import { encodeMint, errorCatalogue, lensAbi } from '@mintage/protocol';
import { type Address, decodeFunctionResult, encodeFunctionResult, type Hex, numberToHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChainContext } from '../../src/chain/chainContext.ts';
import { createEvmClient } from '../../src/chain/evm/evmClient.ts';
import { executionSlug as chainSlug, type ExecutionWorld, startExecutionWorld, type User } from './executionWorld.ts';
import { onePixel } from './trade/tradeWorld.ts';

/** Three providers of one chain; the first of them, whom everybody asks first, lies. */
describe('one provider of three lies', () => {
  let world: ExecutionWorld;
  let user: User;
  let bearer: string;
  let budgeted: string;
  let tokenId: string;
  /** A wallet of the user whose key is here. */
  const own = devAccounts().alice;

  beforeAll(async () => {
    world = await startExecutionWorld({ providers: 3 });
    user = await world.newUser(own);
    bearer = await world.apiKey(user);
    budgeted = await world.apiKey(user, { budget: { perTradeUsd: 50 } });
    await world.done('mintUsd', { chainSlug, amount: 1_000, execute: true }, { bearer });
    const image = onePixel;
    const fields = { name: 'Told Coin', symbol: 'TOLD', description: 'Of two.', image, chainSlug, execute: true };
    const created = await world.done('createTokenTransaction', { ...fields, amountIn: 20 }, { bearer });
    tokenId = created.metadata.tokenId;
    await world.becomes({ intentId: created.intentId }, bearer, 'mined', 'final');
    await world.chain.advance(60);
    await world.indexed();
  });
  /** Nothing is remembered of who lied before: the liar is asked first again. */
  beforeEach(async () => {
    const served = world.api.context.chains.get(chainSlug) as ChainContext;
    await served.client.stop();
    const rpcUrls = world.proxies.map(({ url }) => url);
    const { log, now } = world.api.context;
    Object.assign(served, { client: createEvmClient({ ...served, rpcUrls }, { log, now, voucherKey: null }) });
  });
  afterEach(() => {
    for (const proxy of world.proxies) proxy.intercept = undefined;
  });
  afterAll(() => world?.stop());

  const liar = () => world.proxies[0] as ExecutionWorld['proxies'][number];
  const down: Intercept = () => Promise.reject(new Error('down'));
  const buy = (body: object = {}) => ({ tokenId, chainSlug, direction: 'buy', buyAmountUSD: 10, ...body });
  const send = () => ({ to: `0x${randomBytes(20).toString('hex')}` as Address, amount: '1', chainSlug });
  const intents = async (): Promise<number> => {
    const { db } = world.api.context;
    const row = await db
      .selectFrom('intent')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirst();
    return Number(row?.count);
  };

  /** What the Lens says of the token, changed. */
  const aboutState = (change: (answer: LensAnswer) => LensAnswer): Intercept =>
    changing('eth_call', (result, { params }) => {
      if ((params[0] as { to?: string }).to?.toLowerCase() !== world.chain.deployment.lens) return result;
      const said = decodeFunctionResult({ abi: lensAbi, functionName: 'quoteState', data: result as Hex });
      return encodeFunctionResult({ abi: lensAbi, functionName: 'quoteState', result: change(said) });
    });
  const dearer = aboutState(([number, time, view, wallet]) => [
    number,
    time,
    { ...view, state: { ...view.state, usd: view.state.usd + 10_000_000_000n } },
    wallet,
  ]);
  const header = (change: (shown: Record<string, unknown>) => object) =>
    changing('eth_getBlockByNumber', (shown) => shown && change(shown as Record<string, unknown>));
  const simulated = (change: (call: Record<string, unknown>) => object) =>
    changing('eth_simulateV1', (blocks) =>
      (blocks as { calls: Record<string, unknown>[] }[]).map((block) => ({ ...block, calls: block.calls.map(change) })),
    );

  /** Every place where the first provider's word was believed, with a lie for it. */
  const lies: Record<string, () => Intercept> = {
    'the token is dearer': () => dearer,
    'the token was just created': () =>
      aboutState(([number, , view, wallet]) => [number, BigInt(view.state.created), view, wallet]),
    'all is approved': () =>
      aboutState(([number, time, view, wallet]) => [number, time, view, { ...wallet, usdAllowance: 10n ** 30n }]),
    'the token is not there': () =>
      aboutState(([number, time, view, wallet]) => [
        number,
        time,
        { ...view, state: { ...view.state, creator: `0x${'0'.repeat(40)}` } },
        wallet,
      ]),
    'an old head': () => header((shown) => ({ ...shown, number: '0x1' })),
    'a head that is not there': () => (calls, forward) =>
      changing('eth_blockNumber', (head) => numberToHex(Number(head) + 1000))(calls, forward),
    'another hash': () => header((shown) => ({ ...shown, hash: `0x${'5'.repeat(64)}` })),
    'no balance': () => changing('eth_getBalance', () => '0x0'),
    'every simulation fails': () => simulated((call) => ({ ...call, status: '0x0', returnData: '0x', logs: [] })),
    'everything takes hardly any gas': () => (calls, forward) =>
      calls[0]?.method === 'eth_estimateGas'
        ? changing('eth_estimateGas', () => numberToHex(21_000))(calls, forward)
        : simulated((call) => ({ ...call, gasUsed: '0x1' }))(calls, forward),
    'everything takes a thousand times the gas': () => (calls, forward) =>
      calls[0]?.method === 'eth_estimateGas'
        ? changing('eth_estimateGas', (gas) => numberToHex(1000 * Number(gas)))(calls, forward)
        : simulated((call) => ({ ...call, gasUsed: numberToHex(1000 * Number(call.gasUsed)) }))(calls, forward),
    'everything was sent already': () => changing('eth_getTransactionCount', (count) => numberToHex(Number(count) + 9)),
    'every receipt is of a failure': () =>
      changing('eth_getTransactionReceipt', (receipt) => receipt && { ...receipt, status: '0x0' }),
  };

  for (const [name, lie] of Object.entries(lies))
    it(`H21 H27 behavior: ${name}; the quote, the gas and what happens are as without the lie`, async () => {
      const shown = ({ quote, transactions, warnings }: Shown) => ({
        limit: quote.limitAmountRaw,
        hash: quote.state.blockHash,
        gas: transactions.map(({ gasLimit }) => gasLimit),
        warnings: warnings.map(({ code }) => code),
      });
      const truth = shown(await world.done('tradeToken', buy(), { bearer }));
      liar().intercept = lie();
      expect(shown(await world.done('tradeToken', buy(), { bearer }))).toEqual(truth);
      const sent = await world.done('sendTransaction', send(), { bearer });
      const bought = await world.done('tradeToken', buy({ execute: true }), { bearer: budgeted });
      expect(bought.quote.limitAmountRaw).toBe(truth.limit);
      for (const { intentId } of [sent, bought])
        expect(await world.becomes({ intentId }, bearer, 'mined', 'reverted', 'final', 'failed')).toMatchObject({
          error: null,
        });
    });

  it('H21 error: of two that contradict each other neither is believed, and nothing is prepared or executed', async () => {
    liar().intercept = dearer;
    (world.proxies[2] as ExecutionWorld['proxies'][number]).intercept = down;
    const before = await intents();
    for (const [input, by] of [
      [buy(), bearer],
      [buy({ execute: true }), bearer],
      [buy({ execute: true }), budgeted],
    ] as const) {
      const { status, body } = await world.call('tradeToken', input, { bearer: by });
      expect([status, body.code], JSON.stringify(body)).toEqual([503, 'NETWORK_ERROR']);
    }
    expect(await intents()).toBe(before);
  });

  it('H21 error: one that answers alone has nothing executed; what is prepared says that nobody confirms it', async () => {
    for (const proxy of world.proxies.slice(1)) proxy.intercept = down;
    const before = await intents();
    for (const [name, input] of [
      ['tradeToken', buy({ execute: true })],
      ['sendTransaction', send()],
    ] as const) {
      const { status, body } = await world.call(name, input, { bearer });
      expect([status, body.code], JSON.stringify(body)).toEqual([503, 'NETWORK_ERROR']);
    }
    expect(await intents()).toBe(before);
    const { warnings } = (await world.done('tradeToken', buy(), { bearer })) as Shown;
    expect(warnings.map(({ code }) => code)).toContain('ONE_PROVIDER');
  });

  it('H27 error: what reverts for certain is refused, whatever one simulation says', async () => {
    liar().intercept = simulated((call) => ({ ...call, status: '0x1', returnData: '0x' }));
    const before = await intents();
    const { status, body } = await world.call('tradeToken', buy({ buyAmountUSD: 1e6, execute: true }), { bearer });
    expect([status, body.code], JSON.stringify(body)).toEqual([400, 'INSUFFICIENT_BALANCE']);
    expect(await intents()).toBe(before);
  });

  it('H27 error: a balance of 0 by one of two is no refusal for good', async () => {
    liar().intercept = changing('eth_getBalance', () => '0x0');
    (world.proxies[2] as ExecutionWorld['proxies'][number]).intercept = down;
    const { status, body } = await world.call('sendTransaction', send(), { bearer });
    expect([status, body.code]).toEqual([503, 'NETWORK_ERROR']);
    expect(errorCatalogue[body.code as 'NETWORK_ERROR'].retryable).toBe(true);
  });

  it('H26 behavior: what own wallets sent elsewhere is told by two providers, before that it is unsure', async () => {
    const { usd, launchpad } = world.chain.deployment;
    const gas = 100_000n;
    const well = await world.chain.wallet.send(own, { to: usd, data: encodeMint(own.address, 1n), gas });
    const nonce = Number(await world.chain.rpc('eth_getTransactionCount', [own.address, 'pending']));
    const fees = { type: 'eip1559', maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 0n } as const;
    const call = { chainId: world.chain.chain.chainId, to: launchpad, data: '0x12345678', gas, nonce } as const;
    const raw = await own.signTransaction({ ...fees, ...call });
    const badly = (await world.chain.rpc('eth_sendRawTransaction', [raw])) as Hex;
    await world.chain.rpc('evm_mine');
    const told = async (hash: Hex) => world.done('transactionStatus', { hash, chainSlug }, { bearer });
    const statusIs = (status: '0x0' | '0x1') =>
      changing('eth_getTransactionReceipt', (receipt) => receipt && { ...receipt, status });
    for (const lie of [undefined, statusIs('0x0'), statusIs('0x1')]) {
      liar().intercept = lie;
      expect(await told(well.transactionHash)).toMatchObject({ status: 'mined', error: null });
      expect(await told(badly)).toMatchObject({ status: 'reverted', error: expect.any(String) });
    }
    const unsure = { status: 'sent', unsure: true, error: expect.stringMatching(/do not send it again/) };
    (world.proxies[2] as ExecutionWorld['proxies'][number]).intercept = down;
    for (const [hash, lie] of [
      [well.transactionHash, statusIs('0x0')],
      [badly, statusIs('0x1')],
      [badly, changing('eth_getTransactionReceipt', () => null)],
      [well.transactionHash, replacing('eth_getTransactionByHash', () => ({ result: null }))],
    ] as const) {
      liar().intercept = lie;
      expect(await told(hash)).toMatchObject(unsure);
    }
    // Of one that answers alone and knows nothing, nobody is told that the transaction does not exist.
    (world.proxies[1] as ExecutionWorld['proxies'][number]).intercept = down;
    liar().intercept = replacing('eth_getTransactionByHash', () => ({ result: null }));
    const alone = await world.call('transactionStatus', { hash: well.transactionHash, chainSlug }, { bearer });
    expect([alone.status, alone.body.code]).toEqual([503, 'NETWORK_ERROR']);
  });
});

type LensAnswer = ReturnType<typeof decodeFunctionResult<typeof lensAbi, 'quoteState'>>;

interface Shown {
  quote: { limitAmountRaw: string; state: { blockHash: string } };
  transactions: { gasLimit: string }[];
  warnings: { code: string }[];
}
