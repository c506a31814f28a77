import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { encodeMint, platformIdOf, tokenIdOf } from '@mintage/protocol';
import { createClosers } from '@mintage/server';
import { type RunningDatabase, type SignerDatabase } from '@mintage/server/db';
import { fileKek, type KeyEncryption, makeIntentKeyFiles, makeKekFile, open } from '@mintage/server/keys';
import { walletKeys } from '@mintage/server/sign';
import { type Kysely, sql } from 'kysely';
import { numberToHex, parseUnits } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevChain, type SeedToken, seedAddress, seedChain, seedTokensOn, startChains } from '../src/devnet.ts';
import { freePort } from '../src/freePort.ts';
import { testDatabase } from '../src/testDatabase.ts';
import { until } from '../src/until.ts';
import { formsOf, foundIn, memoryFormsOf, workingFormsOf } from './canary/forms.ts';
import { startWatched, type WatchedProcess } from './canary/watchedProcess.ts';
import { type Receiver, startReceiver } from './watching/receiver.ts';

/** Requests that are logged on top of the story. */
const requests = Number(process.env.CANARY_REQUESTS ?? 300);

/**
 * A wallet's key that the test knows, in a deployment of an api and a signer as docs/running.md has it. Whatever the two do with it,
 * it stands nowhere but in the signer.
 */
describe('canary: a known key of a wallet', () => {
  const closers = createClosers();
  const planted = randomBytes(32);
  let folder: string;
  let chain: DevChain;
  let database: RunningDatabase;
  let db: Kysely<SignerDatabase>;
  let api: WatchedProcess;
  let url: string;
  let receiver: Receiver;
  const signers: WatchedProcess[] = [];
  const keks = { api: '', signer: '', other: '' };
  /** What must not be found, by what it is. */
  const secrets = new Map<string, Buffer>();

  const ask = (path: string, body: object, bearer?: string, headers = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(bearer && { authorization: `Bearer ${bearer}` }), ...headers },
      body: JSON.stringify(body),
    });
  const call = async (path: string, body: object, bearer?: string) => {
    const answer = await ask(path, body, bearer);
    // oxlint-disable-next-line typescript/no-explicit-any -- answers of many operations
    return { status: answer.status, body: (await answer.json()) as any };
  };
  /** Asked for the line that it leaves: without a trace, which costs more than the line. */
  const leaveLine = async (path: string, body: object, bearer?: string): Promise<number> => {
    const traceparent = `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-00`;
    const answer = await ask(path, body, bearer, { traceparent });
    await answer.arrayBuffer();
    return answer.status;
  };
  const common = () => ({
    DEVNET: '0',
    NEW_ACCESS_DELAY_HOURS: '0',
    DATABASE_URL: database.url,
    MINTAGE_HOME: folder,
    CHAINS: chain.chain.slug,
    RPC_URL_BASE_SEPOLIA: chain.rpcUrl,
    LOG_LEVEL: 'trace',
    ...makeIntentKeyFiles(folder),
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    RATE_LIMITS: JSON.stringify({ anonymous: 1e9, authenticated: 1e9, signIn: 1e9, writeDivisor: 1 }),
  });
  const startSigner = (kek: string): WatchedProcess => {
    const signer = startWatched(folder, { ...common(), ROLES: 'signer', KEK_FILE: kek });
    closers.add(signer.stop);
    signers.push(signer);
    return signer;
  };
  const isReady = (started: WatchedProcess) => until(() => started.said().includes('Mintage is ready'));

  /** Somebody with an embedded wallet that can pay. */
  const newUser = async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const { body: challenge } = await call('/auth/challenge', { address: account.address });
    const signature = await account.signMessage({ message: challenge.message });
    const { body: login } = await call('/auth/login', { message: challenge.message, signature });
    const bearer = login.accessToken as string;
    const wallet = await until(async () => {
      const { body } = await call('/me', {}, bearer);
      return body.data?.wallets.find((one: { embedded: boolean }) => one.embedded)?.address as
        | `0x${string}`
        | undefined;
    });
    await chain.rpc('anvil_setBalance', [wallet, numberToHex(10n ** 24n)]);
    const data = encodeMint(wallet, parseUnits('1000', chain.deployment.usdDecimals));
    await chain.wallet.send(chain.accounts.dave, { to: chain.deployment.usd, data });
    return { bearer, wallet, userId: login.userId as string };
  };
  const sealedOf = async (userId: string) => {
    const query = db.selectFrom('embedded_wallet').select(['address', 'sealed_key']);
    const { address, sealed_key: sealed } = await query.where('user_id', '=', userId).executeTakeFirstOrThrow();
    if (address === null || sealed === null) throw new Error('no wallet');
    return { sealed, context: walletKeys.contextOf(userId, address) };
  };
  const remember = async (userId: string, kek: KeyEncryption): Promise<void> => {
    const { sealed, context } = await sealedOf(userId);
    secrets.set('the key', Buffer.from(await open(kek, sealed, context)));
    const wrapped = Buffer.from(sealed.wrappedKey, 'base64');
    secrets.set('its data key', Buffer.from(await kek.unwrap(sealed.kek, wrapped, context)));
    secrets.set("the signer's KEK", Buffer.from(readFileSync(keks.signer, 'utf8').trim(), 'base64'));
  };

  /** Every row of every table, as PostgreSQL writes it. */
  const dump = async (): Promise<Buffer> => {
    const { rows: tables } = await sql<{ name: string }>`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(db);
      texts.push(name, ...rows.map(({ text }) => text));
    }
    return Buffer.from(texts.join('\n'));
  };
  const expectNone = async (where: string, what: Buffer, forms = formsOf): Promise<void> => {
    for (const [name, secret] of secrets) {
      expect([where, name, foundIn(what, forms(secret))]).toEqual([where, name, []]);
      await setImmediate(); // a search of minutes lets others in
    }
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mintage-canary-'));
    closers.add(() => rmSync(folder, { recursive: true, force: true }));
    receiver = await startReceiver();
    closers.add(() => receiver.stop());
    const { chains, stop } = await startChains(['base-sepolia'], { seed: seedChain });
    closers.add(stop);
    [chain] = chains as [DevChain];
    database = await testDatabase();
    closers.add(database.stop);
    db = database.db.withTables<SignerDatabase>();
    mkdirSync(join(folder, 'deployments'));
    const deployment = join(folder, 'deployments', `${chain.chain.chainId}.json`);
    writeFileSync(deployment, JSON.stringify(chain.deployment));
    for (const role of ['api', 'signer', 'other'] as const) {
      keks[role] = join(folder, `${role}.kek`);
      makeKekFile(keks[role]);
    }
    const port = await freePort();
    url = `http://127.0.0.1:${port}/functions/v1`;
    const env = { ...common(), ROLES: 'api,indexer', PORT: String(port), KEK_FILE: keks.api };
    // So that it is known that each search finds what there is.
    const plant = `globalThis.planted = ['${planted.toString('hex')}'].join(); console.error(String(BigInt('0x' + planted)))`;
    api = startWatched(folder, env, plant);
    closers.add(api.stop);
    await Promise.all([isReady(api), isReady(startSigner(keks.signer))]);
  });
  afterAll(() => closers.closeAll());

  it('the story: wallets are made, trades signed, refused, broken, and another signer has another KEK', async () => {
    const [user, other] = [await newUser(), await newUser()];
    await remember(user.userId, fileKek(keks.signer));
    const token = seedTokensOn(chain).find(({ symbol }) => symbol === 'BOAT') as SeedToken;
    const tokenId = tokenIdOf(platformIdOf(await seedAddress(chain, token), chain.chain.eid));
    const chainSlug = chain.chain.slug;
    const slippageBps = 1_000;
    const buy = { tokenId, chainSlug, direction: 'buy', buyAmountUSD: 5, slippageBps, execute: true };
    const bought = await until(async () => {
      const answer = await call('/trade-token', buy, user.bearer);
      return answer.body.code === 'TOKEN_NOT_FOUND' ? null : answer; // before the index is there
    });
    expect([bought.status, bought.body.executed]).toEqual([200, true]);
    const isMined = async (intentId: string) => {
      const { body } = await call('/transactions/status', { intentId }, user.bearer);
      return ['mined', 'reverted', 'final', 'failed'].includes(body.status) ? body.status : null;
    };
    expect(await until(() => isMined(bought.body.intentId))).toMatch(/mined|final/);
    const send = (bearer: string, amount = '1') =>
      call('/send-transaction', { to: chain.deployment.owner, amount, data: '0x', chainSlug }, bearer);
    expect((await send(user.bearer)).status).toBe(200);

    // What goes wrong is where secrets come into logs.
    expect((await send(user.bearer, String(10n ** 30n))).status).toBe(400);
    const { sealed } = await sealedOf(user.userId);
    const exchange = { sealed_key: JSON.stringify(sealed) };
    await db.updateTable('embedded_wallet').set(exchange).where('user_id', '=', other.userId).execute();
    expect((await send(other.bearer)).status).toBe(503);
    const stranger = startSigner(keks.other);
    expect(await stranger.ended).toBe(1);
    expect(stranger.said().toString()).toContain(`needs the key-encryption key ${fileKek(keks.signer).id}`);
    const { intentId } = bought.body;
    const others: (() => Promise<number>)[] = [
      () => leaveLine('/me', {}, user.bearer),
      () => leaveLine('/get-user-balance', { user_id: user.userId }, other.bearer),
      () => leaveLine('/transactions/status', { intentId }, `${user.bearer}x`),
      ...Array.from({ length: 37 }, () => () => leaveLine('/transactions/status', { intentId }, user.bearer)),
    ];
    for (let i = 0; i < requests; i += others.length) {
      const statuses = await Promise.all(others.map((one) => one()));
      expect(new Set(statuses)).toEqual(new Set([200, 401]));
    }
  });

  it('W3 is in no row of the database, in any form', async () => {
    await expectNone('database', await dump());
    await sql`create table canary as select ${planted.toString('base64')} as text`.execute(db);
    expect(foundIn(await dump(), formsOf(planted))).toContain('base64 at 0');
  });

  it('W3 is in no line that a process wrote, at the level trace', async () => {
    expect(foundIn(api.said(), formsOf(planted))).toEqual(['decimal']);
    for (const signer of signers) await expectNone('signer', signer.said());
    await expectNone('api', api.said());
    const lines = [api, ...signers].reduce((sum, { said }) => sum + said().toString().split('\n').length - 1, 0);
    console.log(`${lines} lines searched`);
    expect(lines).toBeGreaterThanOrEqual(requests);
    expect(signers[0]?.said().toString()).toContain('wallet made');
    expect(signers[0]?.said().toString()).toMatch(/does not open/);
  });

  it('W3 is in no span of a trace', async () => {
    const services = () => new Set(receiver.spans().map(({ service }) => service));
    await until(() => ['mintage', 'mintage-signer'].every((name) => services().has(name)));
    await expectNone('traces', receiver.bytes());
  });

  it('W3 is not in the heap of the api', async () => {
    const heap = await api.heap();
    expect(foundIn(heap, formsOf(planted))).toContain('hex');
    await expectNone('heap', heap);
  });

  it.runIf(process.platform === 'linux')('W3 is nowhere in the memory of the api', async () => {
    const holds = async (watched: WatchedProcess, secret: Buffer): Promise<boolean> => {
      for await (const piece of watched.memory()) if (foundIn(piece, workingFormsOf(secret)).length > 0) return true;
      return false;
    };
    // The search finds what has to be there.
    expect(await holds(signers[0] as WatchedProcess, secrets.get("the signer's KEK") as Buffer)).toBe(true);
    expect(await holds(api, planted)).toBe(true);
    for await (const piece of api.memory()) await expectNone('memory', piece, workingFormsOf);
  });

  it.runIf(process.platform === 'linux')(
    'H29 is nowhere in the memory of the signer that has signed with it',
    async () => {
      const found = new Set<string>();
      const forms = memoryFormsOf(secrets.get('the key') as Buffer);
      for await (const piece of (signers[0] as WatchedProcess).memory())
        for (const form of foundIn(piece, forms)) found.add(form);
      expect([...found]).toEqual([]);
    },
  );
});

describe('formsOf', () => {
  it('default: finds a secret however it is written, amidst other things', () => {
    const secret = randomBytes(32);
    const hex = secret.toString('hex');
    const written: (Buffer | string)[] = [
      Buffer.concat([randomBytes(7), secret, randomBytes(3)]),
      `{"key":"0x${hex}"}`,
      hex.toUpperCase(),
      ...[0, 1, 2, 3, 4].map((ahead) => Buffer.concat([randomBytes(ahead), secret, randomBytes(5)]).toString('base64')),
      ...[0, 1, 2].map((ahead) => Buffer.concat([randomBytes(ahead), secret, randomBytes(5)]).toString('base64url')),
      BigInt(`0x${hex}`).toString(),
      JSON.stringify([...secret]),
      [...hex].toReversed().join(''),
      Buffer.from(secret.toReversed()).toString('hex'),
      hex.slice(0, 40),
    ];
    for (const text of written)
      expect(foundIn(Buffer.from(text as string), formsOf(secret)), String(text)).not.toEqual([]);
    expect(foundIn(randomBytes(1_000_000), formsOf(secret))).toEqual([]);
  });
});
