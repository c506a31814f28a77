import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@mintage/protocol/operations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevChain } from '../src/devnet.ts';
import { allEffects, isAtHeads, notFinal, openSteps, wrongWishes } from './scaleOut/aftermath.ts';
import { createClient } from './scaleOut/client.ts';
import { anonymousLimit, type Cluster, startCluster } from './scaleOut/cluster.ts';
import { type Load, newPerson, type Person, signIn, startLoad } from './scaleOut/load.ts';
import { indexOf, rebuiltIndex } from './scaleOut/rebuild.ts';

/** Executed calls between the deaths of two processes. */
const callsBetween = Number(process.env.SCALE_OUT_CALLS ?? 2);
/** How often every process dies. */
const rounds = Number(process.env.SCALE_OUT_ROUNDS ?? 1);
/** How often the server of the database that takes writes dies, and a standby is promoted. */
const promotions = Number(process.env.SCALE_OUT_PROMOTIONS ?? 2);
const apiCount = Number(process.env.SCALE_OUT_APIS ?? 2);
/** How many processes are restarted in order: the first three are an API, an indexer and a signer, the others their twins. */
const restarted = Number(process.env.SCALE_OUT_RESTARTED ?? 3);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Calls that were really made. */
const examples: { operations: Record<string, { input: object }> } = JSON.parse(
  readFileSync(new URL('../../docs/generated/examples.json', import.meta.url), 'utf8'),
);

/** mulberry32 */
const seeded = (start: number) => {
  let state = start;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

describe(`${apiCount} APIs, an indexer a chain, two signers, a database with two standbys, one Redis; seed ${seed}`, () => {
  let cluster: Cluster;
  let client: ReturnType<typeof createClient>;
  let people: Person[];
  let load: Load;

  beforeAll(async () => {
    cluster = await startCluster({ apiCount });
    client = createClient(cluster.apis);
    people = [];
    for (let i = 0; i < 2; i++) people.push(await newPerson(client, cluster.chains));
  });
  afterAll(() => cluster?.stop());

  const moreCalls = async (): Promise<void> => {
    const wanted = load.accepted() + callsBetween;
    await expect.poll(() => load.accepted()).toBeGreaterThanOrEqual(wanted);
  };

  it('each chain has an indexer of its own', async () => {
    const leases = cluster.db.selectFrom('chain').select('lease_owner');
    const owners = async () =>
      new Set((await leases.execute()).map(({ lease_owner }) => lease_owner).filter(Boolean)).size;
    await expect.poll(owners).toBe(2);
  });

  /** @returns Null when an API did not reach Redis in time on the way, and so admitted a tenth by itself. */
  const admittedOf = async (address: string): Promise<{ admitted: number; cameBack: number } | null> => {
    const timesAlone = () => cluster.processes.reduce((sum, { said }) => sum + said().split('Redis is away').length, 0);
    for (const api of [0, 1]) {
      const one = await client.once(api, '/search-token', { input: 'paper-boat' }, { address: `${address}1` });
      if (one.remaining < anonymousLimit / 2) return null;
    }
    const before = timesAlone();
    const started = performance.now();
    const statuses: number[] = [];
    const ask = async (api: number): Promise<void> => {
      while (statuses.length < 4 * anonymousLimit) {
        const input = { input: 'paper-boat' };
        statuses.push((await client.once(api, '/search-token', input, { address: `${address}2` })).status);
      }
    };
    await Promise.all([ask(0), ask(1), ask(0), ask(1)]);
    const cameBack = Math.ceil(((performance.now() - started) / 60_000) * anonymousLimit);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    if (timesAlone() > before) return null;
    return { admitted: statuses.filter((status) => status === 200).length, cameBack };
  };

  it('R4 both APIs together admit what one allowance allows', async () => {
    let result = null;
    for (let network = 1; result === null; network++) result = await admittedOf(`198.51.${network}.`);
    expect(result.admitted).toBeGreaterThanOrEqual(anonymousLimit);
    expect(result.admitted).toBeLessThanOrEqual(anonymousLimit + result.cameBack);
  });

  it('W1 every process is killed in its turn under load', async () => {
    load = startLoad(client, cluster.chains, people, seeded(seed));
    await moreCalls();
    let starting: Promise<void> = Promise.resolve();
    for (let round = 0; round < rounds; round++) {
      for (const process of cluster.processes) {
        await process.end('SIGKILL');
        await starting; // two of a kind are never away together
        starting = process.start();
        await moreCalls();
      }
    }
    await starting;
  });

  /** Sends a new transaction at each API in turn, every so often, until one is accepted. */
  const newWrites = async (sinceBegan: () => number): Promise<number> => {
    const { apiKey, wallet } = people[0] as Person;
    const { chain } = cluster.chains[0] as DevChain;
    const body = { to: wallet, amount: '0', data: '0x', chainSlug: chain.slug };
    const first = Promise.withResolvers<number>();
    const taken = new AbortController();
    for (let api = 0; !taken.signal.aborted; api++) {
      void client.once(api, '/send-transaction', body, { bearer: apiKey.key, key: randomUUID() }).then(
        ({ status }) => {
          if (status !== 200) return;
          taken.abort();
          first.resolve(sinceBegan());
        },
        () => undefined, // the next one is on its way
      );
      await sleep(100);
    }
    return first.promise;
  };

  it('W1 the database moves to a standby under load, again and again', async () => {
    const { servers } = cluster;
    const rows: object[] = [];
    for (let i = 0; i < promotions; i++) {
      await moreCalls();
      const left = servers.primary();
      const inFlight = client.inFlight();
      const began = performance.now();
      // Every other time its machine is out of reach: connections to it say nothing, and it is there again later.
      const isDead = i % 2 === 0;
      if (isDead) await left.kill();
      else left.freeze();
      const promoted = await servers.promote();
      const sinceBegan = (): number => Math.round(performance.now() - began);
      const answered = load.accepted() + load.unknown();
      // A call of before keeps its key for a while; how soon writes are taken again, a new one says.
      const newCalls = newWrites(sinceBegan);
      const known = expect
        .poll(() => load.accepted() + load.unknown(), { interval: 5 })
        .toBeGreaterThanOrEqual(answered + inFlight)
        .then(sinceBegan);
      rows.push({
        left: `${left.name} ${isDead ? 'killed' : 'frozen'}`,
        promoted: promoted.name,
        'in flight': inFlight,
        'new write after, ms': await newCalls,
        'those known after, ms': await known,
      });
      left.thaw();
      await moreCalls();
      await servers.rejoin(left);
    }
    console.table(rows);
  });

  it('W1 a process of each role is restarted in its turn, and no executed call fails', async () => {
    load.expectNoCuts();
    await moreCalls();
    for (const process of cluster.processes.slice(0, restarted)) {
      expect(await process.end('SIGTERM')).toBe(0);
      await process.start();
      await moreCalls();
    }
    await load.stop();
    expect(load.wishes.length).toBeGreaterThanOrEqual((2 + cluster.processes.length + restarted) * callsBetween);
  });

  it('W1 what was accepted is on its chain once, what was not at most once', async () => {
    await expect.poll(() => openSteps(cluster)).toBe(0);
    await expect.poll(() => notFinal(cluster)).toBe(0);
    const effects = await allEffects(cluster);
    expect(wrongWishes(load, effects)).toEqual([]);
    const { reads, signIns } = load.counts;
    const cutOff = load.wishes.filter(({ outcome }) => outcome === 'unknown');
    const done = cutOff.filter(({ effect }) => effects.has(effect));
    console.log(
      `${load.wishes.length} executed calls: ${cutOff.length} cut off, of which ${done.length} were done, the others accepted; ` +
        `${reads} reads, ${signIns} sign-ins, ${load.keysMade.length} keys`,
    );
    for (const { intentId, bearer } of load.wishes.filter(({ intentId }) => intentId !== null))
      expect(await client.read('/transactions/status', { intentId }, { bearer })).toMatchObject({ status: 'final' });
    for (const { bearer, id } of load.keysMade) {
      const { keys } = await client.read('/api-keys/list', {}, { bearer });
      expect(keys.map((key: { id: string }) => key.id)).toContain(id);
    }
  });

  it('reads are answered by the standbys, and none has to be asked again', async () => {
    const [{ apiKey }] = people as [Person];
    const readsBy = async (by: string): Promise<number> => {
      const text = await (await fetch(`${cluster.apis[0]}/metrics`)).text();
      return Number(text.match(new RegExp(`^mintage_reads_total{by="${by}"} (\\d+)`, 'm'))?.[1] ?? 0);
    };
    const before = { standby: await readsBy('standby'), failed: await readsBy('failed') };
    const answered = new Set<string>();
    for (const { name, method, path, scope, limit } of operations) {
      if (method !== 'POST' || scope !== 'read' || limit !== undefined) continue;
      const counted = await readsBy('standby');
      await client.once(0, path, examples.operations[name]?.input ?? {}, { bearer: apiKey.key });
      if ((await readsBy('standby')) > counted) answered.add(name);
    }
    expect(answered.size).toBeGreaterThan(20);
    expect(await readsBy('failed')).toBe(before.failed);
    expect(await readsBy('standby')).toBe(before.standby + answered.size);
  });

  it('I1 the index is what a fresh one reads from the chains', async () => {
    await expect.poll(() => isAtHeads(cluster)).toBe(true);
    expect(await indexOf(cluster.db)).toEqual(await rebuiltIndex(cluster.chains));
  });

  it('a session and a key of one API work at the other, until either revokes them', async () => {
    const { accessToken, refreshToken } = await signIn(client);
    expect((await client.once(0, '/api-keys/list', {}, { bearer: accessToken })).status).toBe(200);
    expect((await client.once(1, '/api-keys/list', {}, { bearer: accessToken })).status).toBe(200);
    const renewed = await client.once(1, '/auth/refresh', { refreshToken }, {});
    expect(renewed.status).toBe(200);
    const next = { refreshToken: (renewed.body as { refreshToken: string }).refreshToken };
    expect((await client.once(0, '/auth/refresh', next, {})).status).toBe(200);
    expect((await client.once(1, '/auth/refresh', { refreshToken }, {})).status).toBe(401); // its successor was used at the other

    const [{ apiKey }] = people as [Person];
    const atTheOther = () => client.once(1, '/get-user-portfolio', {}, { bearer: apiKey.key });
    expect((await atTheOther()).status).toBe(200);
    expect(
      (await client.once(0, '/api-keys/revoke', { id: apiKey.id }, { bearer: people[0]?.accessToken })).status,
    ).toBe(200);
    await expect.poll(async () => (await atTheOther()).status).toBe(401);
  });
});
