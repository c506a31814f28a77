import { setTimeout as sleep } from 'node:timers/promises';
import { type DevChain, devKey, type System, seedAddress, seedTokensOn } from '@mintage/devnet';
import { testSystem } from '@mintage/devnet/testSystem';
import { launchpadAbi, type Order, tokenBridgeAbi } from '@mintage/protocol';
import {
  createWalletClient,
  custom,
  decodeFunctionData,
  type EIP1193RequestFn,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseUnits,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { readContract, writeContract } from 'viem/actions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { receiptOf } from '../src/execute/receipt.ts';
import {
  answeredState,
  type Client,
  checkPrepared,
  checksumRule,
  createClient,
  execute,
  MintageError,
  type Prepared,
  prepare,
  priceOrder,
  readState,
  readTrusted,
  type Sent,
  session,
  signIn,
  type Trusted,
  type TrustedChain,
} from '../src/sdk.ts';
import { lower } from '../src/trusted.ts';
import { batchingWallet } from './batchingWallet.ts';
import { errorOf } from './errorOf.ts';
import { marketCases } from './marketCases.ts';
import { planCases } from './planCases.ts';
import { watchedFetch } from './service.ts';

const chainSlug = 'base-sepolia';
const other = 'unichain-testnet';
/** Creator of tokens of the seed, with fees to claim. */
const account = privateKeyToAccount(devKey('alice'));

let system: System;
let chain: DevChain;
let client: Client;
let trusted: Trusted;
const wallet = () => createWalletClient({ account, transport: http(chain.rpcUrl), pollingInterval: 50 });
const here = (): TrustedChain => trusted[chainSlug] as TrustedChain;
const tokenNamed = async (name: string): Promise<Hex> => {
  const seeded = seedTokensOn(chain).find((token) => token.name === name) ?? expect.fail(`no ${name}`);
  return seedAddress(chain, seeded);
};

beforeAll(async () => {
  system = await testSystem({ env: { LOG_LEVEL: 'silent', CHAINS: `${chainSlug},${other}` }, heartbeat: false });
  chain = system.chains[0] as DevChain;
  client = createClient({ baseUrl: system.url as string, network: 'Testnet' });
  client.use(session(await signIn(client, account)));
  trusted = await readTrusted(client);
});
afterAll(() => system?.stop());

const buy = async (more: object = {}) =>
  prepare(client, 'tradeToken', {
    tokenId: await tokenNamed('Paper Boat'),
    chainSlug,
    direction: 'buy',
    buyAmountUSD: 12.5,
    userAddress: account.address,
    ...more,
  } as Parameters<Client['tradeToken']>[0]);

/** Every answer that a wallet executes, in its richest form. */
const kinds: Record<string, () => Promise<Prepared>> = {
  'a buy with a builder and a referral': () =>
    buy({ builder: { code: chain.accounts.bob.address, fee: 50 }, token_referral: chain.accounts.carol.address }),
  'a sale': async () =>
    prepare(client, 'tradeToken', {
      tokenId: await tokenNamed('Lighthouse'),
      chainSlug,
      direction: 'sell',
      sellAmountToken: 100,
      slippageBps: 200,
      userAddress: account.address,
    }),
  'a creation with a first buy that another chain is told': () =>
    prepare(client, 'createTokenTransaction', {
      name: 'Tin Whistle',
      symbol: 'WHISTLE',
      description: 'It whistles.',
      image: `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')}`,
      chainSlug,
      amountIn: 30,
      destinationChains: [other, 'solana-devnet', 'polygon'],
      userAddress: account.address,
    }),
  'tokens to a neighbour': async () =>
    prepare(client, 'transferToken', {
      token_id: await tokenNamed('Paper Boat'),
      recipient_address: chain.accounts.bob.address,
      amount: '3.5',
      from_chain_slug: chainSlug,
      to_chain_slug: chainSlug,
      wallet_address: account.address,
    }),
  'tokens to another chain': async () =>
    prepare(client, 'transferToken', {
      token_id: await tokenNamed('Paper Boat'),
      recipient_address: chain.accounts.bob.address,
      amount: '4.25',
      from_chain_slug: chainSlug,
      to_chain_slug: other,
      wallet_address: account.address,
    }),
  'an announcement': async () =>
    prepare(client, 'registerToken', {
      token_id: await tokenNamed('Lighthouse'),
      chains: [other],
      wallet_address: account.address,
    }),
  'a claim': () => prepare(client, 'claimRewards', { userAddress: account.address, chains: [chainSlug] }),
  'test dollars': () => prepare(client, 'mintUsd', { chainSlug, userAddress: account.address, amount: 250 }),
};

/** The same answer with a byte of a transaction changed wherever the answer repeats it. */
const forged = (prepared: Prepared, item: number, at: number): Prepared => {
  const copy = structuredClone(prepared);
  const { transactions = [], transaction } = copy.answer as {
    transactions?: { data: string }[];
    transaction?: { data: string };
  };
  const target = transactions[item] ?? transaction ?? expect.fail('no transaction');
  const before = target.data;
  const byte = (Number.parseInt(before.slice(at, at + 2), 16) ^ 1).toString(16).padStart(2, '0');
  const after = before.slice(0, at) + byte + before.slice(at + 2);
  for (const one of [...transactions, transaction]) if (one?.data === before) one.data = after;
  return copy;
};
const dataOf = (prepared: Prepared): string[] => {
  const { transactions, transaction } = prepared.answer as {
    transactions?: { data: string }[];
    transaction?: { data: string };
  };
  return (transactions ?? [transaction as { data: string }]).map(({ data }) => data);
};

/** To whom a claim pays how much of what it names. */
const paidBy = (prepared: Prepared): unknown =>
  dataOf(prepared).map((data) => {
    const outer = decodeFunctionData({ abi: launchpadAbi, data: data as Hex });
    const calls = outer.functionName === 'multicall' ? outer.args[0] : [data as Hex];
    const { functionName, args } = decodeFunctionData({ abi: launchpadAbi, data: calls.at(-1) as Hex });
    return functionName === 'withdrawBatch' ? [args[1], args[2]] : functionName;
  });

describe('checkPrepared', () => {
  it.each(Object.keys(kinds))('error: %s with any byte changed is refused', async (kind) => {
    const prepared = await (kinds[kind] as () => Promise<Prepared>)();
    expect(checkPrepared(prepared, account.address, trusted).length).toBeGreaterThan(0);
    const taken: Prepared[] = [];
    dataOf(prepared).forEach((data, item) => {
      for (let at = 2; at < data.length; at += 2) {
        const copy = forged(prepared, item, at);
        try {
          checkPrepared(copy, account.address, trusted);
          taken.push(copy);
        } catch (error) {
          expect(error).toBeInstanceOf(MintageError);
        }
      }
    });
    // A claim names currencies that no answer lists: it pays what is owed of them, all of it, and to this wallet.
    expect(taken.map(paidBy)).toEqual(taken.map(() => (kind === 'a claim' ? paidBy(prepared) : 'nothing else')));
  });

  const lies: [string, (order: Order) => Partial<Order>][] = [
    ['amount', ({ amount }) => ({ amount: amount + 1n })],
    ['limit', ({ limit }) => ({ limit: limit - 1n })],
    ['recipient', () => ({ recipient: chain.accounts.dave.address })],
    ['builder', () => ({ builder: chain.accounts.dave.address })],
    ['builderBps', ({ builderBps }) => ({ builderBps: builderBps + 1n })],
    ['referral', () => ({ referral: chain.accounts.dave.address })],
    ['token', () => ({ token: chain.accounts.dave.address })],
  ];
  it.each(lies)('error: a service that lies the same way in its words, about %s, is refused', async (field, lie) => {
    const prepared = await (kinds['a buy with a builder and a referral'] as () => Promise<Prepared<'tradeToken'>>)();
    const { answer } = prepared;
    const { args } = decodeFunctionData({ abi: launchpadAbi, data: answer.transaction.data as Hex });
    const [order] = args as readonly [Order];
    const changed = lie(order);
    expect(changed[field as keyof Order]).not.toBe(order[field as keyof Order]);
    const data = encodeFunctionData({
      abi: launchpadAbi,
      functionName: 'buyExactIn',
      args: [{ ...order, ...changed }],
    });
    answer.transaction.data = data;
    (answer.transactions.at(-1) as { data: string }).data = data;
    const said = answer.quote.decoded[0]?.args as Record<string, string | number>;
    const value = changed[field as keyof Order];
    said[field] = typeof value === 'number' ? value : String(value).toLowerCase();
    if (field === 'token') answer.quote.state.token = chain.accounts.dave.address;
    for (const line of answer.quote.fees) {
      if (field === 'builder' && line.kind === 'builder') line.recipient = chain.accounts.dave.address;
      if (field === 'referral' && line.kind === 'token_referral') line.recipient = chain.accounts.dave.address;
    }
    expect(() => checkPrepared(prepared, account.address, trusted)).toThrow(
      expect.objectContaining({ code: 'BYTES_DIFFER' }),
    );
  });

  it('error: an address with a wrong checksum is refused, whatever the service made of it', async () => {
    const prepared = await (kinds['a buy with a builder and a referral'] as () => Promise<Prepared<'tradeToken'>>)();
    const code = '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    for (const [path, other] of Object.entries({
      'builder.code': { builder: { code, fee: 50 } },
      token_referral: { token_referral: code },
      userAddress: { userAddress: code },
    })) {
      const asked = { ...prepared.asked, ...other } as typeof prepared.asked;
      expect(() => checkPrepared({ ...prepared, asked }, account.address, trusted)).toThrow(
        expect.objectContaining({ code: 'INVALID_PARAMETERS', details: [{ path, message: checksumRule }] }),
      );
    }
  });

  it('error: an answer to another question is refused', async () => {
    const { bob, carol, dave } = chain.accounts;
    const prepared = await (kinds['a buy with a builder and a referral'] as () => Promise<Prepared<'tradeToken'>>)();
    for (const other of [
      { buyAmountUSD: 12 },
      { builder: { code: bob.address, fee: 49 } },
      { builder: { code: dave.address, fee: 50 } },
      { token_referral: dave.address },
      { slippageBps: 1 },
      { limitAmountRaw: String(BigInt(prepared.answer.quote.limitAmountRaw) + 1n) },
      { deadline: 1 },
      { direction: 'sell', buyAmountUSD: undefined, sellAmountToken: 12.5 },
      { tokenId: carol.address },
      { tokenId: 'paper-boat' },
    ]) {
      const asked = { ...prepared.asked, ...other } as typeof prepared.asked;
      expect(() => checkPrepared({ ...prepared, asked }, account.address, trusted), JSON.stringify(other)).toThrow(
        expect.objectContaining({ code: 'BYTES_DIFFER' }),
      );
    }
  });

  it('error: a message to a chain that was not asked for, or twice to one, is refused', async () => {
    const creation = kinds['a creation with a first buy that another chain is told'] as () => Promise<Prepared>;
    const prepared = (await creation()) as Prepared<'createTokenTransaction'>;
    const { asked, answer } = prepared;
    const chains = answer.registration?.chains ?? [];
    expect(chains.map((one) => one.chain)).toEqual([other]);
    const twice = {
      ...answer,
      registration: answer.registration && { ...answer.registration, chains: [...chains, ...chains] },
    };
    for (const lie of [
      { ...prepared, asked: { ...asked, destinationChains: ['polygon' as const] } },
      { ...prepared, asked: { ...asked, destinationChains: [] } },
      { ...prepared, answer: twice },
      { ...prepared, answer: { ...answer, registration: null } },
    ])
      expect(() => checkPrepared(lie, account.address, trusted)).toThrow(
        expect.objectContaining({ code: 'BYTES_DIFFER' }),
      );
  });

  it('error: a first buy that is quoted by another state than a new token’s is refused', async () => {
    const creation = kinds['a creation with a first buy that another chain is told'] as () => Promise<Prepared>;
    const prepared = (await creation()) as Prepared<'createTokenTransaction'>;
    const { quote } = prepared.answer;
    const known = checkPrepared(prepared, account.address, trusted);
    expect(known.map(({ order }) => order)).toEqual(known.map(() => null));
    // All that is said of the state is nothing: the price is the chain's own.
    if (quote?.state.curve) quote.state.curve.virtualUsd += '0';
    expect(checkPrepared(prepared, account.address, trusted)).toEqual(known);
    if (quote) quote.outputAmountRaw = String(BigInt(quote.outputAmountRaw) / 2n);
    expect(() => checkPrepared(prepared, account.address, trusted)).toThrow(
      expect.objectContaining({ code: 'BYTES_DIFFER', message: expect.stringMatching(/^quote.outputAmountRaw/) }),
    );
  });

  it('error: a claim on another chain than was asked for, or twice on one, is refused', async () => {
    const prepared = await (kinds['a claim'] as () => Promise<Prepared<'claimRewards'>>)();
    const { asked, answer } = prepared;
    const elsewhere = { ...prepared, asked: { ...asked, chains: [other] } } as Prepared;
    const twice = structuredClone(prepared);
    twice.answer.transactions.push(...answer.transactions);
    twice.answer.metadata.totalCurrenciesClaimed *= 2;
    for (const lie of [elsewhere, twice])
      expect(() => checkPrepared(lie, account.address, trusted)).toThrow(
        expect.objectContaining({ code: 'BYTES_DIFFER', message: expect.stringMatching(/^chains/) }),
      );
    const all = { ...prepared, asked: { ...asked, chains: [] } } as Prepared;
    expect(checkPrepared(all, account.address, trusted)).toHaveLength(answer.transactions.length);
  });

  it('error: an announcement that tells a chain twice, and is paid twice, is refused', async () => {
    const prepared = await (kinds['an announcement'] as () => Promise<Prepared<'registerToken'>>)();
    const { transaction, transactions, metadata } = prepared.answer;
    const read = decodeFunctionData({ abi: tokenBridgeAbi, data: transaction.data as Hex });
    const [token, creator, salt, eids] = read.args as readonly [Hex, Hex, Hex, readonly number[]];
    const args = [token, creator, salt, [...eids, ...eids]] as const;
    const data = encodeFunctionData({ abi: tokenBridgeAbi, functionName: 'announce', args });
    for (const one of [transaction, ...transactions]) one.data = data;
    metadata.chains.push(...metadata.chains);
    expect(() => checkPrepared(prepared, account.address, trusted)).toThrow(
      expect.objectContaining({ code: 'BYTES_DIFFER', message: expect.stringMatching(/^metadata.chains/) }),
    );
  });

  it.each(Object.keys(kinds))('error: %s that has not its form is refused as all that differs', async (kind) => {
    const prepared = await (kinds[kind] as () => Promise<Prepared>)();
    for (const key of Object.keys(prepared.answer)) {
      for (const said of [undefined, null, 'x', [null]]) {
        const lie = { ...prepared, answer: { ...prepared.answer, [key]: said } } as unknown as Prepared;
        try {
          checkPrepared(lie, account.address, trusted);
        } catch (error) {
          expect(error, `${key} ${said}`).toBeInstanceOf(MintageError);
        }
      }
    }
    const nothing = { ...prepared, answer: [] } as unknown as Prepared;
    expect(() => checkPrepared(nothing, account.address, trusted)).toThrow(MintageError);
  });

  it.each(Object.keys(kinds))('default: %s is executed as it stands', async (kind) => {
    const prepared = await (kinds[kind] as () => Promise<Prepared>)();
    const done = await execute(prepared, { wallet: wallet(), trusted });
    expect(done.transactions.length).toBeGreaterThan(0);
    if (done.quoted !== null) expect(done.traded).toMatchObject(done.quoted);
    await system.caughtUp();
  });
});

describe('execute', () => {
  /** So that a buy needs an approval, which the seed has given. */
  const approveNothing = async (): Promise<void> => {
    const hash = await writeContract(wallet(), {
      chain: null,
      address: here().usd,
      abi: erc20Abi,
      functionName: 'approve',
      args: [here().launchpad, 0n],
    });
    await receiptOf(wallet(), { hash });
  };
  beforeEach(approveNothing);

  it('default: a wallet that takes a batch executes approval and buy as one', async () => {
    const { client: page, asked } = batchingWallet(chain.rpcUrl, account);
    const told: Sent[] = [];
    const prepared = await buy();
    const done = await execute(prepared, { wallet: page, trusted, onSent: (sent) => void told.push(sent) });
    expect(done.traded).toMatchObject(done.quoted ?? {});
    expect(done.transactions).toHaveLength(2);
    expect(asked.filter((method) => /send/i.test(method))).toEqual(['wallet_sendCalls']);
    expect(told.map(({ batchId, hash }) => [batchId !== null, hash])).toEqual([[true, null]]);
    expect(await execute(prepared, { wallet: page, trusted, sent: told })).toEqual(done);
    const allowance = await readContract(page, {
      address: here().usd,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [account.address, here().launchpad],
    });
    expect(allowance).toBe(0n);
    await system.caughtUp();
  });

  it('default: without a batch it is one transaction after the other', async () => {
    const { client: page, asked } = batchingWallet(chain.rpcUrl, account);
    const done = await execute(await buy(), { wallet: page, trusted, batch: false });
    expect(done.traded).toMatchObject(done.quoted ?? {});
    expect(asked.filter((method) => /send/i.test(method))).toEqual(['eth_sendTransaction', 'eth_sendTransaction']);
    await system.caughtUp();
  });

  it.each<[what: string, answer: (chainId: Hex) => unknown]>([
    ['null', () => null],
    ['nothing', () => undefined],
    ['null for the chain', (chainId) => ({ [chainId]: null })],
    ['null of what is atomic', (chainId) => ({ [chainId]: { atomic: null } })],
    ['a text', () => 'none'],
    ['a list', () => []],
  ])('behavior: a wallet whose capabilities are %s executes one by one', async (_, answer) => {
    const { client: page, asked } = batchingWallet(chain.rpcUrl, account, () => false, answer);
    const done = await execute(await buy(), { wallet: page, trusted });
    expect(done.transactions).toHaveLength(2);
    expect(asked.filter((method) => /send/i.test(method))).toEqual(['eth_sendTransaction', 'eth_sendTransaction']);
    await system.caughtUp();
  });

  it('error: what the wallet’s user refuses was not sent', async () => {
    for (const method of ['wallet_sendCalls', 'eth_sendTransaction']) {
      const { client: page } = batchingWallet(chain.rpcUrl, account, (one) => one === method);
      const refused = execute(await buy(), { wallet: page, trusted, batch: method === 'wallet_sendCalls' });
      expect((await errorOf(refused)).code).toBe('WALLET_REFUSED');
    }
  });

  it('error: what is not known to be mined says so, and is found later instead of sent again', async () => {
    const prepared = (await kinds['tokens to a neighbour']?.()) as Prepared;
    const told = new Map<string, Sent>();
    const onSent = (sent: Sent) => void told.set(sent.key, sent);
    const before = await chain.rpc('eth_getTransactionCount', [account.address, 'latest']);
    await chain.rpc('evm_setAutomine', [false]);
    const lost = await errorOf(execute(prepared, { wallet: wallet(), trusted, onSent, timeoutMs: 400 }));
    await chain.rpc('evm_setAutomine', [true]);
    await chain.rpc('evm_mine');
    expect(lost).toMatchObject({ code: 'SENT_UNCONFIRMED', details: { sent: [...told.values()][0] } });
    const done = await execute(prepared, { wallet: wallet(), trusted, sent: [...told.values()] });
    expect(done.transactions.map(({ hash }) => hash)).toEqual([...told.values()].map(({ hash }) => hash));
    const after = await chain.rpc('eth_getTransactionCount', [account.address, 'latest']);
    expect(Number(after) - Number(before)).toBe(1);
  });

  it('behavior: a block that comes while the provider answers slowly, and that no other follows, is not overlooked', async () => {
    let asked = 0;
    const request = async ({ method, params }: { method: string; params?: unknown[] }) => {
      // The block comes after the receipt was asked for in vain twice, and just then reading a whole block takes its time.
      if (method === 'eth_getBlockByNumber' && asked === 2 && params?.[1] === true) await sleep(300);
      const answer = await chain.rpc(method, params);
      if (method === 'eth_getTransactionReceipt' && ++asked === 2) await chain.rpc('evm_mine');
      return answer;
    };
    const transport = custom({ request: request as EIP1193RequestFn });
    const slow = createWalletClient({ account, transport, pollingInterval: 50 });
    const prepared = (await kinds['tokens to a neighbour']?.()) as Prepared;
    await chain.rpc('evm_setAutomine', [false]);
    const done = execute(prepared, { wallet: slow, trusted, timeoutMs: 5_000 });
    await expect(done.finally(() => chain.rpc('evm_setAutomine', [true]))).resolves.toMatchObject({
      transactions: [{}],
    });
  });

  it('error: what would revert is not sent, and is told in the words of the catalogue', async () => {
    const prepared = await buy({ buyAmountUSD: 900 });
    await execute(await buy({ buyAmountUSD: 900 }), { wallet: wallet(), trusted });
    const before = await chain.rpc('eth_getTransactionCount', [account.address, 'latest']);
    const late = await errorOf(execute(prepared, { wallet: wallet(), trusted }));
    expect(late.code).toBe('SLIPPAGE_EXCEEDED');
    const after = await chain.rpc('eth_getTransactionCount', [account.address, 'latest']);
    // The approval alone: with it the trade can be tried, and shows that it would fail.
    expect(Number(after) - Number(before)).toBeLessThanOrEqual(1);
    await system.caughtUp();
  });
});

describe('execute, of what is asked once', () => {
  it('behavior: what was told is looked up, and not sent again', async () => {
    const prepared = await buy();
    const told = new Map<string, Sent>();
    const onSent = (sent: Sent) => void told.set(sent.key, sent);
    const first = await execute(prepared, { wallet: wallet(), trusted, onSent });
    expect(first.transactions.map(({ hash }) => hash)).toEqual([...told.values()].map(({ hash }) => hash));
    const nonce = await chain.rpc('eth_getTransactionCount', [account.address, 'latest']);
    expect(await execute(prepared, { wallet: wallet(), trusted, sent: [...told.values()] })).toEqual(first);
    expect(await chain.rpc('eth_getTransactionCount', [account.address, 'latest'])).toBe(nonce);
    await system.caughtUp();
  });

  it('error: another wallet than was asked for, and other contracts than are trusted, are refused', async () => {
    const prepared = await buy();
    const bob = createWalletClient({ account: privateKeyToAccount(devKey('bob')), transport: http(chain.rpcUrl) });
    expect((await errorOf(execute(prepared, { wallet: bob, trusted }))).code).toBe('BYTES_DIFFER');
    const never = errorOf(execute(prepared, { wallet: wallet(), trusted, timeoutMs: Number.NaN }));
    expect((await never).message).toMatch(/^timeoutMs: /);
    const elsewhere = { ...trusted, [chainSlug]: { ...here(), launchpad: lower(account.address) } };
    expect((await errorOf(execute(prepared, { wallet: wallet(), trusted: elsewhere }))).code).toBe('BYTES_DIFFER');
  });
});

describe('actions', () => {
  it('default: a client that was not told the network learns it from the chains, once', async () => {
    const { asked, fetch: watched } = watchedFetch();
    const open = createClient({ baseUrl: system.url as string, fetch: watched });
    open.use(session(await signIn(open, account)));
    const input = { chainSlug, userAddress: account.address, amount: 5 } as const;
    for (let times = 0; times < 2; times += 1)
      expect(await open.actions.mintUsd(input)).toMatchObject({ success: true, actionType: 'mintUsd' });
    const bodies = asked.filter(({ url }) => url.endsWith('/platform-action')).map((one) => one.json());
    expect(await Promise.all(bodies)).toMatchObject([{ source: 'Testnet' }, { source: 'Testnet' }]);
    expect(asked.filter(({ url }) => url.endsWith('/chains'))).toHaveLength(1);
  });
});

describe('a token that was just created', () => {
  it('behavior: is read, quoted, traded and followed at once, by whatever names it', async () => {
    const token = (await (
      kinds['a creation with a first buy that another chain is told'] as () => Promise<Prepared>
    )()) as Prepared<'createTokenTransaction'>;
    const { slug, tokenId, addresses } = token.answer.metadata;
    const { token: created } = await execute(token, { wallet: wallet(), trusted });
    const address = created ?? expect.fail('no token');
    expect(lower(addresses.evm ?? '')).toBe(address);
    const amount = { direction: 'buy', chainSlug, simulate: false, userAddress: account.address } as const;
    const events = client.stream({ topic: 'tokenActivity', tokenId: address }, { transport: 'events' });
    const followed = async () => {
      const { value } = await events.next();
      await events.return();
      return value?.type;
    };
    const answers = await Promise.all([
      client.getTokenAbout({ token_id: slug }).then((said) => said.token.symbol),
      client.getTokenTrades({ token_id: tokenId }).then(({ activities }) => activities.length),
      client.getUserBalance({ token_id: address }).then(({ data }) => data.balances.length),
      client.quoteToken({ tokenId: address, chainSlug, direction: 'buy', amount: 5 }).then(({ success }) => success),
      client.tradeToken({ ...amount, tokenId: slug, buyAmountUSD: 5 }).then(({ success }) => success),
      followed(),
    ]);
    expect(answers).toEqual(['WHISTLE', 1, 1, true, true, 'begin']);
    await system.caughtUp();
  });
});

describe('execute, of a market that moves', () => {
  marketCases(() => ({ system, chain, client, trusted, account, wallet: wallet(), tokenNamed }));
});

describe('runPlan', () => {
  let token: Hex;
  beforeAll(async () => {
    token = await tokenNamed('Paper Boat');
  });
  planCases(() => ({ system, chain, client, trusted, account, wallet: wallet(), token }));
});

describe('priceOrder', () => {
  const terms = { builderBps: 0n, hasReferral: false, hasReferrer: false } as const;

  it.each([
    ['Harbour Works', 'on the curve', 40],
    ['Copper Kettle', 'on the pool', 40],
    ['Night Train', 'on a curve that it fills', 60_000],
  ])('default: %s, %s: the wei of the service', async (name, _where, dollars) => {
    const token = await tokenNamed(name);
    const { answer } = await prepare(client, 'tradeToken', {
      tokenId: token,
      chainSlug,
      direction: 'buy',
      buyAmountUSD: dollars,
      userAddress: account.address,
      simulate: false,
    });
    const order = { ...terms, kind: 'buyExactIn', amount: parseUnits(String(dollars), here().usdDecimals) } as const;
    const said = answer.quote.outputAmountRaw;
    expect(String(priceOrder(await readState(wallet(), here(), token), order).trade.amountOut)).toBe(said);
    expect(String(priceOrder(answeredState(answer.quote.state, here()), order).trade.amountOut)).toBe(said);
  });

  it('default: in the opening window, at the fee of its second', async () => {
    const created = await execute(
      await (kinds['a creation with a first buy that another chain is told'] as () => Promise<Prepared>)(),
      {
        wallet: wallet(),
        trusted,
      },
    );
    await system.caughtUp();
    const token = created.token ?? expect.fail('no token');
    const { answer } = await prepare(client, 'tradeToken', {
      tokenId: token,
      chainSlug,
      direction: 'buy',
      buyAmountUSD: 10,
      userAddress: account.address,
      simulate: false,
    });
    const order = { ...terms, kind: 'buyExactIn', amount: 10_000_000n } as const;
    expect(answer.quote.antiSnipe).not.toBeNull();
    const state = answeredState(answer.quote.state, here());
    expect(String(priceOrder(state, order).trade.amountOut)).toBe(answer.quote.outputAmountRaw);
  });
});
