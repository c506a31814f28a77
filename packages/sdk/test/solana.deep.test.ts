import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '@mintage/devnet';
import { testSystem } from '@mintage/devnet/testSystem';
import { until } from '@mintage/devnet/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  checkPrepared,
  checkPreparedSolana,
  createClient,
  execute,
  keypairWallet,
  linkWallet,
  MintageError,
  type Prepared,
  prepare,
  readTrusted,
  session,
  signIn,
  type Trusted,
  type TrustedSolanaChain,
} from '../src/sdk.ts';
import { errorOf } from './errorOf.ts';
import { bytesIn, deedsOf, keysIn, readIn, withBytes, withKey, withTrueWords } from './solanaLies.ts';
import { solanaPlanCases } from './solanaPlanCases.ts';
import { askNode, type OwnWallet, ownWallet } from './solanaWallet.ts';

const chainSlug = 'solana-devnet';

let system: System;
let client: Client;
let trusted: Trusted;
let wallet: OwnWallet;
let friend: OwnWallet;
let other: OwnWallet;
let rpcUrl: string;

const newWallet = async (): Promise<OwnWallet> => {
  const made = ownWallet(rpcUrl);
  await askNode(rpcUrl, 'requestAirdrop', made.address, 10_000_000_000);
  await until(async () => {
    const { value } = (await askNode(rpcUrl, 'getBalance', made.address, { commitment: 'confirmed' })) as {
      value: number;
    };
    return value > 0;
  });
  return made;
};

beforeAll(async () => {
  system = await testSystem({ env: { LOG_LEVEL: 'silent', CHAINS: chainSlug }, seed: false });
  rpcUrl = system.solana[0]?.rpcUrl ?? expect.fail('no cluster');
  client = createClient({ baseUrl: system.url as string, network: 'Testnet' });
  [wallet, friend, other] = await Promise.all([newWallet(), newWallet(), newWallet()]);
  trusted = await readTrusted(client);
});
afterAll(() => system?.stop());

const run = (prepared: Prepared, more: object = {}) => execute(prepared, { wallet, trusted, calls: client, ...more });
const here = (): TrustedSolanaChain => trusted[chainSlug] ?? expect.fail('no chain');
const picture = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')}`;

/** Everything that was prepared and executed, by what it is. */
const kept = new Map<string, Prepared>();

describe('a wallet of Solana', () => {
  let token: string;
  const keep = async <Kind extends Prepared>(what: string, prepared: Promise<Kind>): Promise<Kind> => {
    kept.set(what, structuredClone(await prepared));
    return prepared;
  };
  const trade = async (asked: object) =>
    prepare(client, 'tradeToken', {
      tokenId: token,
      chainSlug,
      userAddress: wallet.address,
      ...asked,
    } as Parameters<Client['tradeToken']>[0]);
  /** What was quoted is what the chain did. */
  const trades = async (what: string, asked: object) => {
    const done = await run(await keep(what, trade(asked)));
    expect(done.traded).toMatchObject(done.quoted ?? expect.fail('no quote'));
    await system.caughtUp();
  };
  const creation = (by: OwnWallet, more: object = {}, from = client) =>
    prepare(from, 'createTokenTransaction', {
      name: 'Paper Boat',
      symbol: 'BOAT',
      description: 'It floats.',
      image: picture,
      chainSlug,
      poolType: 'test',
      userAddress: by.address,
      ...more,
    });
  const mint = (by: OwnWallet, amount: number) =>
    prepare(client, 'mintUsd', { chainSlug, userAddress: by.address, amount });

  it('default: its chain is trusted as plain JSON, and it signs in', async () => {
    expect(JSON.parse(JSON.stringify(trusted))).toEqual(trusted);
    expect(here()).toMatchObject({ type: 'solana', slug: chainSlug, usdDecimals: 6, venue: 'mintage_pool' });
    client.use(session(await signIn(client, wallet, { domain: new URL(system.config.appUrl).host })));
    expect((await client.me()).data.wallets.map(({ address }) => address)).toContain(wallet.address);
  });

  it('default: it mints test dollars, creates with a first buy, and trades on the curve, each as quoted', async () => {
    await run(await keep('test dollars', mint(wallet, 2_000)));
    const created = await run(await keep('a creation with a first buy', creation(wallet, { amountIn: 20 })));
    token = created.token ?? expect.fail('no token');
    expect(created.traded).toMatchObject(created.quoted ?? {});
    await system.caughtUp();
    await sleep(6_500); // the opening window
    await trades('a buy for dollars', { direction: 'buy', buyAmountUSD: 25 });
    await trades('a buy of tokens', { direction: 'buy', buyAmountToken: 1_000 });
    await trades('a sale of tokens', { direction: 'sell', sellAmountToken: 1_000 });
    await trades('a sale for dollars', { direction: 'sell', sellAmountUSD: 5 });
    const named = { builder: { code: friend.address, fee: 50 }, token_referral: friend.address };
    await trades('a buy with a builder and a referral', { direction: 'buy', buyAmountUSD: 10, ...named });
  });

  it('default: it opens the pool, trades there, claims what it earned, and sends tokens on', async () => {
    await trades('the last buy of the curve', { direction: 'buy', buyAmountUSD: 400 });
    await trades('a buy for dollars in the pool', { direction: 'buy', buyAmountUSD: 15 });
    await trades('a buy of tokens in the pool', { direction: 'buy', buyAmountToken: 1_000 });
    await trades('a sale of tokens in the pool', { direction: 'sell', sellAmountToken: 1_000 });
    await trades('a sale for dollars in the pool', { direction: 'sell', sellAmountUSD: 5 });
    const claimed = await run(await keep('a claim', prepare(client, 'claimRewards', { userAddress: wallet.address })));
    expect(claimed.withdrawn).toEqual([{ chainSlug, currency: here().usd, amount: expect.any(BigInt) }]);
    const asked = {
      token_id: token,
      recipient_address: friend.address,
      amount: '12.5',
      from_chain_slug: chainSlug,
      to_chain_slug: chainSlug,
      wallet_address: wallet.address,
    } as const;
    expect(await run(await keep('tokens to a friend', prepare(client, 'transferToken', asked)))).toMatchObject({
      transactions: [{ chainSlug, hash: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/) }],
      traded: null,
    });
  });

  it('behavior: who was referred carries a voucher once, before a trade and before a creation', async () => {
    const { userId } = await signIn(createClient({ baseUrl: system.url as string }), friend);
    const code = { network: 'testnet', code: 'FRIEND', code_key: 'friend', created_at: new Date() } as const;
    await system.db
      .insertInto('referral_code')
      .values({ ...code, user_id: userId })
      .execute();
    const entered = { referral_code: 'FRIEND', network_mode: 'testnet' } as const;
    await client.enterReferralCode(entered);
    await trades('a buy with a voucher', { direction: 'buy', buyAmountUSD: 10 });
    expect(readIn(kept.get('a buy with a voucher') as Prepared, here()).calls.map(({ name }) => name)).toContain(
      'setReferrer',
    );
    await trades('a buy of who has a referrer', { direction: 'buy', buyAmountUSD: 10 });

    const reader = createClient({ baseUrl: system.url as string, network: 'Testnet' });
    reader.use(session(await signIn(reader, other)));
    await reader.enterReferralCode(entered);
    const prepared = await keep('a creation with a voucher', creation(other, { poolType: 'meme' }, reader));
    const created = await execute(prepared, { wallet: other, trusted, calls: reader });
    expect(created.token).toBe(prepared.answer.metadata.addresses.solana);
  });
});

describe('a wallet of a key pair', () => {
  const keypair = (): Uint8Array => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const bytes = (form: Buffer) => [...form.subarray(-32)];
    return Uint8Array.from([
      ...bytes(privateKey.export({ format: 'der', type: 'pkcs8' })),
      ...bytes(publicKey.export({ format: 'der', type: 'spki' })),
    ]);
  };

  it('default: signs in, and sends through its node', async () => {
    const own = await keypairWallet(keypair(), () => rpcUrl);
    await askNode(rpcUrl, 'requestAirdrop', own.address, 1_000_000_000);
    const reader = createClient({ baseUrl: system.url as string, network: 'Testnet' });
    reader.use(session(await signIn(reader, own)));
    await until(async () => {
      const { value } = (await askNode(rpcUrl, 'getBalance', own.address, { commitment: 'confirmed' })) as {
        value: number;
      };
      return value > 0;
    });
    const prepared = await prepare(reader, 'mintUsd', { chainSlug, userAddress: own.address, amount: 5 });
    const { transactions } = await execute(prepared, { wallet: own, trusted, calls: reader });
    expect(transactions).toHaveLength(1);
  });

  it('error: what a node refuses was not sent, and what no node answers may have been, under the hash that was told before', async () => {
    const bytes = keypair();
    const poor = await keypairWallet(bytes, () => rpcUrl);
    const prepared = await prepare(client, 'mintUsd', { chainSlug, userAddress: poor.address, amount: 5 });
    const told: (string | null)[] = [];
    const onSent = ({ hash }: { hash: string | null }) => void told.push(hash);
    const refused = await errorOf(execute(prepared, { wallet: poor, trusted, calls: client, onSent }));
    expect(refused.code).toBe('TRANSACTION_FAILED');
    expect(told).toEqual([null, expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)]);
    const away = await keypairWallet(bytes, () => 'http://127.0.0.1:1');
    const lost = await errorOf(execute(prepared, { wallet: away, trusted, calls: client }));
    expect(lost).toMatchObject({ code: 'SENT_UNCONFIRMED', details: { sent: { hash: told[1] } } });
  });

  it('error: bytes that are no key pair', async () => {
    for (const bytes of [new Uint8Array(32), Uint8Array.from([...keypair().slice(0, 32), ...keypair().slice(32)])])
      await expect(keypairWallet(bytes, () => rpcUrl)).rejects.toMatchObject({ code: 'INVALID_PARAMETERS' });
  });
});

const kinds = [
  'test dollars',
  'a creation with a first buy',
  'a buy for dollars',
  'a buy of tokens',
  'a sale of tokens',
  'a sale for dollars',
  'a buy with a builder and a referral',
  'the last buy of the curve',
  'a buy for dollars in the pool',
  'a buy of tokens in the pool',
  'a sale of tokens in the pool',
  'a sale for dollars in the pool',
  'a claim',
  'tokens to a friend',
  'a buy with a voucher',
  'a buy of who has a referrer',
  'a creation with a voucher',
];
const keptOf = (kind: string): Prepared => structuredClone(kept.get(kind)) ?? expect.fail(`no ${kind}`);
const ownerOf = (kind: string): string => (kind === 'a creation with a voucher' ? other : wallet).address;
const check = (prepared: Prepared, kind: string) => checkPreparedSolana(prepared, ownerOf(kind), trusted);
const isRefused = (prepared: Prepared, kind: string, what?: string) =>
  expect(() => check(prepared, kind), what).toThrow(expect.objectContaining({ code: 'BYTES_DIFFER' }));

/** Everything that a claim does, whichever vault is the first. */
const vaultsOf = (prepared: Prepared): string | null => {
  try {
    const { calls, ...read } = readIn(prepared, here());
    return deedsOf({ ...read, calls: calls.map((call) => ({ ...call, more: call.more.toSorted() })) });
  } catch {
    return null;
  }
};

describe('checkPreparedSolana', () => {
  it('default: knows everything that was executed, and no other kind', () => {
    expect([...kept.keys()].toSorted()).toEqual(kinds.toSorted());
    for (const kind of kinds) expect(check(keptOf(kind), kind)).toMatchObject([{ chain: here() }]);
  });

  it.each(kinds)('error: %s with any byte changed does the same, or is refused, whatever its words say', (kind) => {
    const prepared = keptOf(kind);
    const bytes = bytesIn(prepared);
    const deeds = deedsOf(readIn(prepared, here()));
    let refused = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (bytes[at] as number) ^ 1;
      let lie = withBytes(prepared, changed);
      try {
        lie = withTrueWords(lie, here());
      } catch {
        // It is no transaction any more.
      }
      try {
        check(lie, kind);
      } catch (error) {
        expect(error).toMatchObject({ code: 'BYTES_DIFFER' });
        refused += 1;
        continue;
      }
      const read = readIn(lie, here());
      expect(deedsOf(read), `byte ${at}`).toBe(deeds);
      expect(read.microLamportsPerUnit).toBeLessThanOrEqual(500_000n);
    }
    // The blockhash, the budget as far as it may be another, the end of a creation alone, and by whom and how a voucher is signed.
    const free = 32 + 16 + (deeds.includes('"create"') ? 8 : 0) + (deeds.includes('setReferrer') ? 64 + 32 : 0);
    expect(bytes.length - refused).toBeLessThanOrEqual(free);
  });

  it.each(kinds)('error: %s with any account replaced, in bytes and words, is refused', (kind) => {
    const prepared = keptOf(kind);
    const keys = keysIn(bytesIn(prepared));
    const strange = bytesIn(keptOf('a claim'))
      .subarray(1 + 64 + 5 + 32 * 3)
      .subarray(0, 32); // a key that is no key
    for (const { at, key } of keys) {
      isRefused(
        withKey(
          prepared,
          at,
          Uint8Array.from(strange, (byte) => byte ^ 0x55),
        ),
        kind,
        String(key),
      );
    }
  });

  it.each(kinds)('error: %s with accounts that changed places is refused', (kind) => {
    const prepared = keptOf(kind);
    const bytes = bytesIn(prepared);
    const keys = keysIn(bytes);
    for (const [index, { at }] of keys.entries()) {
      const next = keys[(index + 1) % keys.length] as { at: number };
      const swapped = Uint8Array.from(bytes);
      swapped.set(bytes.subarray(at, at + 32), next.at);
      swapped.set(bytes.subarray(next.at, next.at + 32), at);
      let lie = withBytes(prepared, swapped);
      try {
        lie = withTrueWords(lie, here());
      } catch {
        // It is none of ours any more.
      }
      // A claim is paid out of the vaults that it names, in any order.
      if (kind === 'a claim' && vaultsOf(lie) === vaultsOf(prepared)) continue;
      isRefused(lie, kind, `account ${index}`);
    }
  });

  it.each(kinds)('error: %s by another wallet, or on another program, or for another dollar, is refused', (kind) => {
    const prepared = keptOf(kind);
    const lie = (more: object) => ({ [chainSlug]: { ...here(), ...more } }) as Trusted;
    for (const [address, at] of [
      [friend.address, trusted],
      [ownerOf(kind), lie({ launchpad: friend.address })],
      ...(kind === 'tokens to a friend' ? [] : [[ownerOf(kind), lie({ usd: friend.address })] as const]),
    ] as const)
      expect(() => checkPreparedSolana(prepared, address, at)).toThrow(
        expect.objectContaining({ code: 'BYTES_DIFFER' }),
      );
    expect(() => checkPreparedSolana(prepared, ownerOf(kind), {})).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CHAIN' }),
    );
    expect(() => checkPrepared(prepared, ownerOf(kind), trusted)).toThrow(MintageError);
  });

  const questions: [string, object[]][] = [
    [
      'a buy with a builder and a referral',
      [
        { buyAmountUSD: 11 },
        { builder: undefined },
        { builder: { code: 'FRIEND', fee: 49 } },
        { builder: { code: '11111111111111111111111111111111', fee: 50 } },
        { token_referral: undefined },
        { slippageBps: 1 },
        { limitAmountRaw: String(2n ** 60n) },
        { deadline: 1 },
        { direction: 'sell', buyAmountUSD: undefined, sellAmountToken: 10 },
        { tokenId: '11111111111111111111111111111111' },
        { tokenId: 'paper-boat' },
        { chainSlug: 'solana' },
      ],
    ],
    [
      'a creation with a first buy',
      [
        { name: 'Paper Boats' },
        { symbol: 'BOATS' },
        { poolType: 'meme' },
        { amountIn: 21 },
        { amountIn: undefined },
        { tokensOut: 5, maxAmountIn: 20 },
        { deadline: 1 },
      ],
    ],
    ['a creation with a voucher', [{ amountIn: 5 }, { poolType: 'test' }, { symbol: 'B' }]],
    ['a claim', [{ chains: ['solana'] }, { currencyAddress: '11111111111111111111111111111111' }]],
    [
      'tokens to a friend',
      [
        { amount: '12.4' },
        { recipient_address: '11111111111111111111111111111111' },
        { token_id: 'paper-boat' },
        { to_chain_slug: 'base-sepolia' },
      ],
    ],
    ['test dollars', [{ amount: 2_001 }, { amount: undefined }, { userAddress: '11111111111111111111111111111111' }]],
  ];
  it.each(questions)('error: %s that answers another question is refused', (kind, others) => {
    for (const changed of others) {
      const prepared = keptOf(kind);
      const lie = { ...prepared, asked: { ...prepared.asked, ...changed } } as Prepared;
      expect(() => check(lie, kind), JSON.stringify(changed)).toThrow(
        expect.objectContaining({ code: expect.stringMatching(/^(BYTES_DIFFER|UNSUPPORTED_CHAIN)$/) }),
      );
    }
  });

  it.each(kinds)('error: %s with other words than its bytes, or more rent than it can take, is refused', (kind) => {
    const prepared = keptOf(kind);
    const items = (copy: Prepared) => {
      const { transactions, transaction } = copy.answer as { transactions?: object[]; transaction?: object };
      return [...(transactions ?? []), ...(transaction === undefined ? [] : [transaction])];
    };
    for (const words of [
      { to: friend.address },
      { value: '100000000' },
      { value: '-1', accountsOpened: [friend.address] },
      { gasLimit: '1' },
      { priorityFeeMicroLamports: '1' },
      { priorityFeeMicroLamports: undefined },
      { transactionBase64: 'AAAA' },
      { lastValidBlockHeight: undefined },
      { expiresAt: 'never' },
      { data: '0x' },
    ]) {
      const lie = structuredClone(prepared);
      for (const item of items(lie)) Object.assign(item, words);
      isRefused(lie, kind, JSON.stringify(words));
    }
    for (const key of Object.keys(prepared.answer))
      for (const said of [undefined, null, 'x', [null]]) {
        const lie = { ...prepared, answer: { ...prepared.answer, [key]: said } } as unknown as Prepared;
        try {
          check(lie, kind);
        } catch (error) {
          expect(error, `${key} ${said}`).toBeInstanceOf(MintageError);
        }
      }
  });
});

describe('a plan on Solana', () => {
  solanaPlanCases(() => ({ system, client, trusted, wallet, friend, rpcUrl, token: tokenOf() }));
});

const tokenOf = (): string => (keptOf('a buy for dollars') as Prepared<'tradeToken'>).asked.tokenId;

describe('signIn and linkWallet', () => {
  it('default: a wallet of Solana is linked, and signs in to the same account', async () => {
    const reader = createClient({ baseUrl: system.url as string, network: 'Testnet' });
    const { userId, ...signedIn } = await signIn(reader, ownWallet(rpcUrl));
    reader.use(session(signedIn));
    const linked = ownWallet(rpcUrl);
    await linkWallet(reader, linked, userId);
    expect((await signIn(createClient({ baseUrl: system.url as string }), linked)).userId).toBe(userId);
  });

  const stranger = '11111111111111111111111111111112';
  it.each<[string, (text: string) => string]>([
    ['of another wallet', (text) => text.replace(/account:\n\S+/, `account:\n${stranger}`)],
    ['of an EVM wallet', (text) => text.replace('Solana account', 'Ethereum account')],
    ['of a chain with an EVM', (text) => text.replace('Chain ID: solana:devnet', 'Chain ID: 1')],
    ['that agrees to something else', (text) => text.replace(/Sign in to .*/, 'I owe you all that I have.')],
    ['with a line after it', (text) => `${text}\nI owe you all that I have.`],
    ['with a second line in its statement', (text) => text.replace('Sign in to', 'I owe you\nSign in to')],
    ['with another nonce', (text) => text.replace(/Nonce: ../, 'Nonce: 00')],
    ['of another page than its domain’s', (text) => text.replace(/URI: \S+/, 'URI: https://evil.example')],
    ['that expired', (text) => text.replace(/Expiration Time: .*/, 'Expiration Time: 2020-01-01T00:00:00.000Z')],
  ])('error: a text %s is not signed', async (_what, change) => {
    const signed: string[] = [];
    const made = ownWallet(rpcUrl);
    const signer = {
      address: made.address,
      signText: async (text: string) => made.signText((signed.push(text), text)),
    };
    const reader = createClient({ baseUrl: system.url as string });
    const lying = {
      ...reader,
      authChallenge: async (...asked: Parameters<Client['authChallenge']>) => {
        const answer = await reader.authChallenge(...asked);
        const message = change(answer.message);
        expect(message).not.toBe(answer.message);
        return { ...answer, message };
      },
    };
    expect((await errorOf(signIn(lying, signer))).code).toBe('BYTES_DIFFER');
    expect(signed).toEqual([]);
  });
});
