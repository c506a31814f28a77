import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { devKey } from '@mintage/devnet';
import { testDatabase } from '@mintage/devnet/testDatabase';
import { until } from '@mintage/devnet/until';
import { type Base58, parseBase58Address, toBase58 } from '@mintage/protocol';
import { definitions, type OperationName } from '@mintage/protocol/operations';
import { mostTransactionBytes, tokenAccountOf } from '@mintage/protocol/solana';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesOf } from '../../src/chain/solana/bytes.ts';
import { signedTransaction } from '../../src/chain/solana/message/compile.ts';
import { createClosers } from '../../src/closers.ts';
import { configFromEnv } from '../../src/config.ts';
import { createLog } from '../../src/createLog.ts';
import type { Database } from '../../src/db/chainTables.ts';
import { makeKekFile } from '../../src/keys/fileKek.ts';
import { signerKeysOf, startRoles } from '../../src/roles.ts';
import { type Deployed, deployedChain, Ground } from '../index/solana/ground.ts';
import { expectTruth } from '../index/solana/truth.ts';
import { type Call, callsOf, noLimits } from '../world/call.ts';

const chainSlug = 'solana-devnet';
const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const coin = { name: 'Paper Boat', symbol: 'BOAT', description: 'It floats.', image: onePixel };

interface Wallet {
  address: Base58;
  key: KeyObject;
}

const newWallet = (): Wallet => {
  const { privateKey: key, publicKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  return { address: toBase58(new Uint8Array(spki.subarray(-32))), key };
};

/** All roles of the service, as they are, over a Solana chain that makes its blocks by itself. */
describe('the service on Solana', () => {
  const closers = createClosers();
  let deployed: Deployed;
  let ground: Ground;
  let db: Kysely<Database>;
  let call: Call;
  const own = newWallet();
  let bearer: string;
  let embedded: Base58;
  let tokenId: string;
  let token: Base58;

  beforeAll(async () => {
    const home = mkdtempSync(join(tmpdir(), 'mintage-solana-'));
    closers.add(() => rmSync(home, { recursive: true, force: true }));
    const kek = join(home, 'kek');
    makeKekFile(kek);
    deployed = await deployedChain();
    closers.add(async () => deployed.remove());
    ground = await Ground.start(deployed, { byHand: false, slotMs: 100 });
    closers.add(() => ground.node.stop());
    const database = await testDatabase();
    closers.add(database.stop);
    db = database.db;
    const config = configFromEnv({
      ROLES: 'api,indexer,signer',
      PORT: '0',
      MINTAGE_HOME: home,
      KEK_FILE: kek,
      RATE_LIMITS: noLimits,
    });
    const { api } = await startRoles({
      config,
      databaseUrl: database.url,
      db,
      chains: [ground.served()],
      log: createLog(process.env.LOG ?? 'silent'),
      closers,
      signerKeys: await signerKeysOf(config),
      voucherKey: devKey('voucherSigner'),
      signerPollMs: 20,
    });
    if (api === null) throw new Error('The API does not run.');
    Object.assign(api.context.patience, { walletMs: 14_000, signatureMs: 14_000 });
    call = callsOf(api.app);
  });
  afterAll(() => closers.closeAll());

  const done = async (name: OperationName, input: object = {}) => {
    const { status, body } = await call(name, input, { bearer });
    if (status !== 200) throw new Error(`${name} answered ${status}: ${JSON.stringify(body)}`);
    definitions[name].output.parse(body);
    return body;
  };
  /** Until the intent is final. @throws Error when it fails. */
  const settles = ({ intentId }: { intentId: string }) =>
    until(async () => {
      const { status, error } = await done('transactionStatus', { intentId, chainSlug });
      if (['failed', 'refused'].includes(status)) throw new Error(`It ${status}: ${JSON.stringify(error)}`);
      return status === 'final';
    });
  /** Signs and sends what was prepared for the own wallet, and waits for its block. */
  const sendOwn = async ({ transaction }: { transaction: { data: `0x${string}`; transactionBase64: string } }) => {
    const bytes = bytesOf(transaction.data);
    expect(Buffer.from(bytes).toString('base64')).toBe(transaction.transactionBase64);
    expect(bytes.length).toBeLessThanOrEqual(mostTransactionBytes);
    const message = bytes.subarray(65);
    const raw = signedTransaction(message, new Uint8Array(sign(null, message, own.key)));
    const config = { encoding: 'base64', preflightCommitment: 'confirmed' };
    const hash = (await ground.ask('sendTransaction', Buffer.from(raw).toString('base64'), config)) as string;
    await until(async () => {
      const { value } = (await ground.ask('getSignatureStatuses', [hash])) as {
        value: ({ err: unknown; confirmationStatus: string } | null)[];
      };
      if (value[0]?.err) throw new Error(`It failed: ${JSON.stringify(value[0].err)}`);
      return value[0] && value[0].confirmationStatus !== 'processed';
    });
    return hash;
  };
  const held = async (account: Base58): Promise<bigint> => {
    const { value } = (await ground.ask('getTokenAccountBalance', account, { commitment: 'confirmed' })) as {
      value: { amount: string };
    };
    return BigInt(value.amount);
  };
  const dollars = (wallet: Base58) => held(tokenAccountOf(wallet, ground.served().deployment.usd as Base58, 'token'));
  const tokens = (wallet: Base58) => held(tokenAccountOf(wallet, token, 'token2022'));
  const indexed = async () => {
    const slot = (await ground.ask('getSlot', { commitment: 'confirmed' })) as number;
    await until(() => db.selectFrom('chain').select('eid').where('indexed', '>=', slot).executeTakeFirst());
  };
  const trade = (order: object) => done('tradeToken', { tokenId, chainSlug, execute: true, ...order });

  it('a wallet of Solana signs in, once a text, and has an embedded wallet beside it', async () => {
    const { message } = (await call('authChallenge', { address: own.address })).body;
    expect(message).toContain(`sign in with your Solana account:\n${own.address}\n`);
    const signature = toBase58(new Uint8Array(sign(null, new TextEncoder().encode(message), own.key)));
    const session = await call('authLogin', { message, signature });
    expect(session.status).toBe(200);
    expect((await call('authLogin', { message, signature })).body.code).toBe('AUTHENTICATION_FAILED');
    bearer = session.body.accessToken;
    embedded = await until(async () => {
      const { wallets } = (await done('me')).data;
      return wallets.find((wallet: { embedded: boolean }) => wallet.embedded)?.address;
    });
    expect(parseBase58Address(embedded)).toBe(embedded);
    for (const wallet of [embedded, own.address]) await ground.ask('requestAirdrop', wallet, 10_000_000_000);
    await until(async () => (await done('me', { include_testnets: true })).data.balances[0]?.native.balanceRaw !== '0');
  });

  it('GET /chains says what it is, and test dollars come from it', async () => {
    await expect
      .poll(async () => (await done('chains')).chains)
      .toMatchObject([
        { slug: chainSlug, type: 'solana', chainId: 0, venue: 'mintage_pool', canCreate: true, status: 'live' },
      ]);
    await settles(await done('mintUsd', { chainSlug, amount: 100_000, execute: true }));
    expect(await dollars(embedded)).toBe(100_000_000_000n);
    await sendOwn(await done('mintUsd', { chainSlug, amount: 500, userAddress: own.address }));
    expect(await dollars(own.address)).toBe(500_000_000n);
  });

  it('a creation with a first buy, executed: the quote is what the chain does', async () => {
    const before = await dollars(embedded);
    const answer = await done('createTokenTransaction', { ...coin, chainSlug, amountIn: 20, execute: true });
    await settles(answer);
    ({ tokenId } = answer.metadata);
    token = answer.metadata.addresses.solana;
    expect(answer.metadata.addresses.evm).toBe('');
    expect(await tokens(embedded)).toBe(BigInt(answer.quote.outputAmountRaw));
    expect(before - (await dollars(embedded))).toBe(20_000_000n);
    await indexed();
    const about = JSON.stringify(await done('getTokenAbout', { token_id: tokenId }));
    expect(about).toContain(`"primary_solana_address":"${token}"`);
    await expectTruth(ground, db);
  });

  it('buys and sells after the window, executed and by a wallet of one’s own: quotes are trades, to the base unit', async () => {
    await sleep(6_500);
    const had = await tokens(embedded);
    const bought = await trade({ direction: 'buy', buyAmountUSD: 33.333333 });
    await settles(bought);
    expect((await tokens(embedded)) - had).toBe(BigInt(bought.quote.outputAmountRaw));
    const sum = await dollars(embedded);
    const sold = await trade({ direction: 'sell', sellAmountToken: '123456789' });
    await settles(sold);
    expect((await dollars(embedded)) - sum).toBe(BigInt(sold.quote.outputAmountRaw));

    const order = { tokenId, chainSlug, userAddress: own.address };
    const prepared = await done('tradeToken', {
      ...order,
      direction: 'buy',
      buyAmountUSD: 50,
      token_referral: embedded,
    });
    expect(prepared.quote.simulation.ok).toBe(true);
    expect(prepared.transaction).toMatchObject({
      lastValidBlockHeight: expect.any(Number),
      expiresAt: expect.any(String),
      priorityFeeMicroLamports: '0',
      accountsOpened: expect.arrayContaining([tokenAccountOf(own.address, token, 'token2022')]),
    });
    await sendOwn(prepared);
    expect(await tokens(own.address)).toBe(BigInt(prepared.quote.outputAmountRaw));
    const back = await done('tradeToken', { ...order, direction: 'sell', sellAmountToken: '1000000' });
    const before = await dollars(own.address);
    await sendOwn(back);
    expect((await dollars(own.address)) - before).toBe(BigInt(back.quote.outputAmountRaw));
    await indexed();
    await expectTruth(ground, db);
  });

  it('the last tokens of the curve open the pool, and trades go on in it', async () => {
    const last = await trade({ direction: 'buy', buyAmountUSD: 90_000 });
    await settles(last);
    await indexed();
    const asked = { chainSlug, tokenId, direction: 'buy', inputToken: 'usdc', amount: 100 };
    const quote = await until(async () => {
      const { data } = await done('quoteToken', asked); // of the index, a moment behind
      return data.state.pool === null ? null : data;
    });
    expect(quote).toMatchObject({
      protocol: 'MintagePool',
      state: { curve: null, pool: { supply: expect.any(String) } },
    });
    const before = await tokens(embedded);
    const bought = await trade({ direction: 'buy', buyAmountUSD: 100 });
    expect(bought.quote).toMatchObject({ venue: 'mintage_pool', isGraduated: true });
    await settles(bought);
    expect((await tokens(embedded)) - before).toBe(BigInt(bought.quote.outputAmountRaw));
    expect(bought.quote.outputAmountRaw).toBe(quote.outputAmountRaw);
    const sum = await dollars(embedded);
    const sold = await trade({ direction: 'sell', sellAmountToken: '1000000000' });
    await settles(sold);
    expect((await dollars(embedded)) - sum).toBe(BigInt(sold.quote.outputAmountRaw));
    await indexed();
    await expectTruth(ground, db);
  });

  it('what was earned is claimed, tokens are sent on, and people read it all', async () => {
    const before = await dollars(embedded);
    await done('claimRewards', { execute: true });
    await until(async () => (await dollars(embedded)) > before);
    const amount = { token_id: tokenId, recipient_address: own.address, amount: '12.5' };
    const had = await tokens(own.address);
    await settles(
      await done('transferToken', { ...amount, from_chain_slug: chainSlug, to_chain_slug: chainSlug, execute: true }),
    );
    expect((await tokens(own.address)) - had).toBe(12_500_000n);
    await indexed();
    await expectTruth(ground, db);
    const { holders } = await done('getTokenHolders', { token_id: tokenId });
    expect(holders.map(({ wallet }: { wallet: string }) => wallet)).toEqual([embedded, own.address]);
    const { chains } = await done('solvency');
    expect(JSON.stringify(chains)).not.toContain('"solvent":false');
  });

  it('sends SOL as asked, and no more than there is', async () => {
    const to = newWallet().address;
    const payment = { chainSlug, to, amount: '1500000000' };
    await settles(await done('sendTransaction', payment));
    const { value } = (await ground.ask('getBalance', to, { commitment: 'confirmed' })) as { value: number };
    expect(value).toBe(1_500_000_000);
    const { body } = await call('sendTransaction', { ...payment, amount: '99000000000' }, { bearer });
    expect(body.code).toBe('INSUFFICIENT_BALANCE');
  });

  it('sends dollars, to who has an account for them and to who has none, and no more than there are', async () => {
    const fresh = newWallet().address;
    for (const [to, before] of [
      [fresh, 0n],
      [own.address, await dollars(own.address)],
    ] as const) {
      await settles(await done('sendTransaction', { chainSlug, to, usd: '1250001' }));
      expect(await dollars(to)).toBe(before + 1_250_001n);
    }
    const { body } = await call('sendTransaction', { chainSlug, to: fresh, usd: '999999999999999' }, { bearer });
    expect(body.code).toBe('INSUFFICIENT_BALANCE');
    await indexed();
    await expectTruth(ground, db);
  });

  it('error: refusals have their codes, and addresses of another family their sentence', async () => {
    const poor = { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 5, userAddress: newWallet().address };
    expect((await done('tradeToken', poor)).quote.simulation).toMatchObject({
      ok: false,
      code: 'INSUFFICIENT_BALANCE',
    });
    const rich = await call(
      'tradeToken',
      { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 1e7, execute: true },
      { bearer },
    );
    expect(rich.body.code).toBe('INSUFFICIENT_BALANCE');
    const foreign = { ...poor, userAddress: `0x${'ab'.repeat(20)}` };
    expect((await call('tradeToken', foreign, { bearer })).body.error).toContain('base58 of 32 bytes');
    const much = { chainSlug, to: own.address, usd: '9'.repeat(30) };
    const far = {
      token_id: tokenId,
      recipient_address: own.address,
      from_chain_slug: chainSlug,
      to_chain_slug: chainSlug,
    };
    for (const [name, input] of [
      ['sendTransaction', much],
      ['sendTransaction', { ...much, usd: undefined, amount: '9'.repeat(30) }],
      ['transferToken', { ...far, amount: '9'.repeat(20) }],
      ['mintUsd', { chainSlug, amount: 1e14, userAddress: own.address }],
      ['tradeToken', { tokenId, chainSlug, direction: 'sell', sellAmountToken: '9'.repeat(30) }],
      ['tradeToken', { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 1e14 }],
    ] as const) {
      const { status, body } = await call(name, input, { bearer });
      expect([name, input, status, body.code]).toEqual([name, input, 400, expect.any(String)]);
    }
    const challenge = await call('authChallenge', { address: '1'.repeat(31) });
    expect(challenge.status).toBe(400);
  });
});
