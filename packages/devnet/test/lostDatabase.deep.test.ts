import { randomInt, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeTransfer } from '@mintage/protocol';
import { createClosers } from '@mintage/server';
import { type RunningDatabase, startDatabase } from '@mintage/server/db';
import { makeKekFile } from '@mintage/server/keys';
import { sql } from 'kysely';
import { numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevChain, seedChain, startChains } from '../src/devnet.ts';
import { freePort } from '../src/freePort.ts';
import { keepDeployments } from './keepDeployments.ts';
import { createClient } from './scaleOut/client.ts';
import { effectsOf, transferEffect } from './scaleOut/effects.ts';
import { newPerson } from './scaleOut/load.ts';
import { type RoleProcess, roleProcess } from './scaleOut/roleProcess.ts';

/** How often every connection is terminated under load. */
const terminations = Number(process.env.CASES ?? 6);
/** In the process: a promise that nobody looks after fails when it is told to. */
const defect = `process.on('SIGUSR2', () => { Promise.reject(new Error('planted', { cause: 'the reason' })); });`;

/** One process with every role, over a database that is taken away from it again and again. */
describe('a lost database', () => {
  const closers = createClosers();
  const home = mkdtempSync(join(tmpdir(), 'mintage-lost-database-'));
  let database: RunningDatabase;
  let chain: DevChain;
  let service: RoleProcess;
  let url: string;
  const client = () => createClient([url, url]);
  const stopping = new AbortController();

  /** Every kind of answer that callers got: `200`, or status, code and whether they were told when to come back. */
  const answers = new Set<string>();
  const ask = async (path: string, body: object, headers: Record<string, string> = {}): Promise<boolean> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const { code } = (await response.json()) as { code?: string };
    answers.add(response.ok ? '200' : `${response.status} ${code} ${response.headers.get('retry-after')}`);
    return response.ok;
  };
  const keepReading = async (): Promise<void> => {
    for (; !stopping.signal.aborted; await sleep(5)) await ask('/search-token', { input: 'paper-boat' });
  };

  /** What was to happen on the chain, and whether the service said that it will. */
  const wishes: { effect: string; isAccepted: boolean }[] = [];
  const accepted = (): number => {
    if (stopping.signal.aborted) throw new Error('The service is gone.');
    return wishes.filter(({ isAccepted }) => isAccepted).length;
  };
  const keepSending = async (bearer: string): Promise<void> => {
    const { slug } = chain.chain;
    for (; !stopping.signal.aborted; await sleep(5)) {
      const to = numberToHex(0xbeef_0000n + BigInt(randomInt(2 ** 31)), { size: 20 });
      const body = { to: chain.deployment.usd, data: encodeTransfer(to, 1n), chainSlug: slug };
      const headers = { authorization: `Bearer ${bearer}`, 'idempotency-key': randomUUID() };
      wishes.push({ effect: transferEffect(slug, to), isAccepted: await ask('/send-transaction', body, headers) });
    }
  };

  beforeAll(async () => {
    chmodSync(home, 0o711); // the server may run under another account
    closers.add(() => rmSync(home, { recursive: true, force: true }));
    database = await startDatabase({ home });
    closers.add(database.stop);
    const local = await startChains(['base-sepolia'], { seed: seedChain });
    closers.add(local.stop);
    chain = local.chains[0] as DevChain;
    keepDeployments(home, [chain.deployment]);
    makeKekFile(join(home, 'kek'));
    const port = await freePort();
    service = roleProcess('service', {
      DEVNET: '0',
      NEW_ACCESS_DELAY_HOURS: '0',
      DATABASE_URL: database.url,
      MINTAGE_HOME: home,
      CHAINS: chain.chain.slug,
      RPC_URL_BASE_SEPOLIA: chain.rpcUrl,
      PORT: String(port),
      KEK_FILE: join(home, 'kek'),
      LOG_LEVEL: 'error',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(defect)}`,
      RATE_LIMITS: JSON.stringify({ anonymous: 1e6, authenticated: 1e6, signIn: 1e6 }),
    });
    closers.add(async () => {
      await service.end('SIGKILL');
    });
    await service.start();
    url = `http://127.0.0.1:${port}/functions/v1`;
  });
  afterAll(() => closers.closeAll());

  const moreAccepted = async (count: number): Promise<void> => {
    const wanted = accepted() + count;
    await expect.poll(accepted).toBeGreaterThanOrEqual(wanted);
  };
  const terminateAll = async (): Promise<number> => {
    const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(database.db);
    return rows.length;
  };

  it('H2 every connection ends under load, the server too, and the process works on', async () => {
    const people = [await newPerson(client(), [chain]), await newPerson(client(), [chain])];
    const senders = people.flatMap(({ apiKey: { key } }) => [keepSending(key), keepSending(key)]);
    const load = Promise.all([keepReading(), ...senders]);
    load.catch(() => stopping.abort());
    let ended = 0;
    for (let i = 0; i < terminations; i++) {
      await moreAccepted(1);
      ended += await terminateAll();
    }
    expect(ended).toBeGreaterThan(terminations);
    answers.clear();
    const [postmaster] = readFileSync(join(home, 'postgres/data/postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(postmaster), 'SIGKILL');
    await expect.poll(() => [...answers].filter((answer) => answer !== '200')).not.toEqual([]);
    await moreAccepted(5);
    stopping.abort();
    await load;
    // A send whose commit went unanswered until its time was up has one honest answer; its effect is counted below.
    answers.delete('500 OUTCOME_UNKNOWN null');
    expect([...answers].toSorted()).toEqual(['200', '503 SERVICE_UNAVAILABLE 2']);
  });

  it('H2 what was accepted is on the chain once, what was cut off at most once', async () => {
    const unmined = async () => {
      const { rows } = await sql`select from intent join intent_step using (eid, intent_id)
        where intent.status = 'queued' or (intent.status = 'signed' and intent_step.status in ('queued', 'sent'))`.execute(
        database.db,
      );
      return rows.length;
    };
    await expect.poll(unmined).toBe(0);
    const effects = await effectsOf(chain);
    const wrong = wishes.filter(({ effect, isAccepted }) => {
      const count = effects.get(effect) ?? 0;
      return isAccepted ? count !== 1 : count > 1;
    });
    expect(wrong).toEqual([]);
  });

  it('H2 the index is at the head again, and the process ends as it should', async () => {
    const head = Number(await chain.rpc('eth_blockNumber'));
    const row = database.db.selectFrom('chain').select('indexed').where('eid', '=', chain.chain.eid);
    await expect.poll(async () => (await row.executeTakeFirst())?.indexed).toBeGreaterThanOrEqual(head);
    expect(await service.end('SIGTERM')).toBe(0);
  });

  it('H2 error: what nobody caught is told with its cause, and ends the process in order with code 1', async () => {
    await service.start();
    const owner = async () =>
      (await database.db.selectFrom('chain').select('lease_owner').executeTakeFirst())?.lease_owner;
    await expect.poll(owner).not.toBeNull();
    expect(await service.end('SIGUSR2')).toBe(1);
    expect(service.said()).toMatch(/Error: planted[^]*cause[^]*the reason/);
    expect(await owner()).toBeNull();
  });
});
