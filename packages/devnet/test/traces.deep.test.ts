import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platformIdOf, tokenIdOf } from '@mintage/protocol';
import { createClosers } from '@mintage/server';
import { makeIntentKeyFiles, makeKekFile } from '@mintage/server/keys';
import { numberToHex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevChain, type SeedToken, seedAddress, seedChain, seedTokensOn, startChains } from '../src/devnet.ts';
import { freePort } from '../src/freePort.ts';
import { testDatabase } from '../src/testDatabase.ts';
import { keepDeployments } from './keepDeployments.ts';
import { createClient } from './scaleOut/client.ts';
import { newPerson, type Person } from './scaleOut/load.ts';
import { type RoleProcess, roleProcess } from './scaleOut/roleProcess.ts';
import { type Received, type Receiver, startReceiver } from './watching/receiver.ts';

/** A process for each role over a chain, and a receiver of their traces. */
describe('traces', () => {
  const closers = createClosers();
  let chain: DevChain;
  let receiver: Receiver;
  let url: string;
  let person: Person;
  const processes: RoleProcess[] = [];

  const buy = async (headers: Record<string, string> = {}): Promise<Response> => {
    const token = seedTokensOn(chain).find(({ symbol }) => symbol === 'BOAT') as SeedToken;
    const tokenId = tokenIdOf(platformIdOf(await seedAddress(chain, token), chain.chain.eid));
    const order = { direction: 'buy', buyAmountUSD: 5, slippageBps: 1_000, execute: true };
    return fetch(`${url}/trade-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${person.apiKey.key}`, ...headers },
      body: JSON.stringify({ tokenId, chainSlug: chain.chain.slug, ...order }),
    });
  };
  const inTrace = (traceId: string): Received[] => receiver.spans().filter((span) => span.traceId === traceId);
  const newTrace = () => {
    const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
  };

  beforeAll(async () => {
    const home = mkdtempSync(join(tmpdir(), 'mintage-traces-'));
    closers.add(() => rmSync(home, { recursive: true, force: true }));
    receiver = await startReceiver();
    closers.add(() => receiver.stop());
    const local = await startChains(['base-sepolia'], { seed: seedChain });
    closers.add(local.stop);
    [chain] = local.chains as [DevChain];
    const database = await testDatabase();
    closers.add(database.stop);
    keepDeployments(home, [chain.deployment]);
    const port = await freePort();
    url = `http://127.0.0.1:${port}/functions/v1`;
    for (const role of ['api', 'indexer', 'signer']) {
      const kek = join(home, `${role}.kek`);
      makeKekFile(kek);
      const process = roleProcess(role, {
        DEVNET: '0',
        NEW_ACCESS_DELAY_HOURS: '0',
        DATABASE_URL: database.url,
        MINTAGE_HOME: home,
        CHAINS: chain.chain.slug,
        RPC_URL_BASE_SEPOLIA: chain.rpcUrl,
        LOG_LEVEL: 'warn',
        ROLES: role,
        PORT: String(port),
        KEK_FILE: kek,
        ...makeIntentKeyFiles(home),
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_BSP_SCHEDULE_DELAY: '100',
      });
      closers.add(async () => {
        await process.end('SIGKILL');
      });
      processes.push(process);
    }
    await Promise.all(processes.map((process) => process.start()));
    person = await newPerson(createClient([url, url]), [chain]);
  });
  afterAll(() => closers.closeAll());

  it('an intent is one trace from the request of its caller to the final block, through api and signer', async () => {
    const { traceId, spanId, traceparent } = newTrace();
    const answer = await buy({ traceparent });
    expect(answer.status).toBe(200);
    const { intentId } = (await answer.json()) as { intentId: string };
    const names = () => inTrace(traceId).map(({ name }) => name);
    const both = (name: string): boolean => names().filter((one) => one === name).length === 2; // an approval and a buy
    await expect.poll(() => both('send')).toBe(true);
    await chain.rpc('anvil_mine', [numberToHex((chain.chain.finalityBlocks ?? 0) + 2)]);
    await expect.poll(() => both('final')).toBe(true);

    const spans = inTrace(traceId);
    const request = spans.find(({ service }) => service === 'mintage-api');
    expect(request).toMatchObject({
      name: 'POST /functions/v1/trade-token',
      parentSpanId: spanId,
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'mintage.operation': 'tradeToken',
        'mintage.chain': chain.chain.slug,
        'mintage.intent': intentId,
      },
    });
    const signer = spans.filter(({ service }) => service === 'mintage-signer');
    expect(signer.map(({ name }) => name).toSorted()).toEqual(['final', 'final', 'send', 'send', 'sign']);
    for (const { parentSpanId, attributes, status } of signer)
      expect([parentSpanId, attributes['mintage.intent'], status]).toEqual([request?.spanId, intentId, 0]);
    expect(spans).toHaveLength(6);
  });

  it('the indexer tells which blocks it wrote, and which requests were in them', async () => {
    const { traceId, traceparent } = newTrace();
    expect((await buy({ traceparent })).status).toBe(200);
    const indexed = () => receiver.spans().filter(({ service }) => service === 'mintage-indexer');
    await expect.poll(() => indexed().map(({ links }) => links)).toContainEqual([traceId]);
    const page = indexed().find(({ links }) => links.includes(traceId));
    expect(page).toMatchObject({ name: 'index', parentSpanId: '', attributes: { 'mintage.chain': chain.chain.slug } });
    expect(Number(page?.attributes['mintage.events'])).toBeGreaterThan(0);
  });

  it('a tool call is a span below the request that brought it', async () => {
    const { traceId, traceparent } = newTrace();
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${person.apiKey.key}`,
        traceparent,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_tokens', arguments: {} },
      }),
    });
    expect(answer.status).toBe(200);
    await expect.poll(() => inTrace(traceId).length).toBe(2);
    const [tool, request] = inTrace(traceId).toSorted((a, b) => b.name.localeCompare(a.name));
    expect([request?.name, tool?.name]).toEqual(['POST /functions/v1/mcp', 'tool get_tokens']);
    expect(tool?.parentSpanId).toBe(request?.spanId);
  });

  it('no span holds what proves a caller, or what was sent or answered', () => {
    const { accessToken, refreshToken, apiKey, wallet } = person;
    for (const secret of [accessToken, refreshToken, apiKey.key, wallet, 'buyAmountUSD'])
      expect(receiver.bytes().includes(secret)).toBe(false);
  });

  it('error: what is refused says why, by its code alone', async () => {
    const { traceId, traceparent } = newTrace();
    expect((await buy({ traceparent, authorization: 'Bearer wrong' })).status).toBe(401);
    await expect
      .poll(() => inTrace(traceId))
      .toMatchObject([
        { attributes: { 'http.response.status_code': 401, 'error.type': 'AUTHENTICATION_FAILED' }, status: 0 },
      ]);
  });

  it('a receiver that is away harms no request and no end of a process', async () => {
    await receiver.stop();
    for (let i = 0; i < 20; i++) expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await buy()).status).toBe(200);
    expect(await Promise.all(processes.map((process) => process.end('SIGTERM')))).toEqual([0, 0, 0]);
  });
});
