import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { System } from '@mintage/devnet';
import { freePort } from '@mintage/devnet/freePort';
import { addApiKey } from '@mintage/server/api';
import type { Database } from '@mintage/server/db';
import type { Kysely } from 'kysely';
import { otherCore, serverCore, startApiProcess, untilListening } from './apiServer.ts';
import { type BenchSystem, withBenchSystem } from './benchSystem.ts';
import type { LoadResult } from './load.ts';
import { startPinned, stopChild } from './pinned.ts';
import { connections, fireRound, measured, median, roundMs, warmUp } from './rounds.ts';

const rounds = 5;

/** What is asked: the quote, which answers from memory, and the whole list. */
const asked = {
  'tools/call': (tokenId: string) => ({
    name: 'quote_trade_token',
    arguments: { tokenId, chainSlug: 'base-sepolia', direction: 'buy', amount: 25, inputToken: 'usdc' },
  }),
  'tools/list': () => ({}),
};
type Method = keyof typeof asked;

/**
 * Calls per second of the tool server with the full list, served by the API process as in production (credential, limits,
 * schemas, handler, fence), beside the protocol's bare low-level server that has the same list and gives the same answers:
 * same core, same run, rounds in turn. The result is the ratio of calls.
 */
export const benchTools = (): Promise<void> => withBenchSystem('base-sepolia', run);

const run = async ({ system, databaseUrl, home, onEnd }: BenchSystem): Promise<void> => {
  const { key, tokenId } = await chooseSubject(system);
  const api = await startApiProcess(system, databaseUrl, home);
  onEnd(() => stopChild(api.child));

  const requestTo = (port: number, method: Method): string => requestText(port, method, asked[method](tokenId), key);
  const list = await answerOf(api.port, 'tools/list', asked['tools/list'](), key);
  const call = await answerOf(api.port, 'tools/call', asked['tools/call'](tokenId), key);
  const answers = join(home, 'answers.json');
  writeFileSync(answers, JSON.stringify({ list, call }));
  const barePort = await freePort();
  const bare = startPinned(serverCore, new URL('bareToolServer.ts', import.meta.url), {
    PORT: String(barePort),
    ANSWERS: answers,
  });
  onEnd(() => stopChild(bare));
  await untilListening(barePort);
  const load = startPinned(otherCore, new URL('load.ts', import.meta.url), {});
  onEnd(() => stopChild(load));
  const fire = (port: number, method: Method, ms: number): Promise<LoadResult> =>
    fireRound(load, { host: '127.0.0.1', port, request: requestTo(port, method), connections, ms, most: 400_000 });

  console.log(`${list.tools.length} tools, ${connections} connections, ${roundMs / 1000} s a round`);
  const results: Record<string, number> = {};
  for (const method of Object.keys(asked) as Method[]) {
    const bytes = await warmUp((ms) => fire(api.port, method, ms));
    await warmUp((ms) => fire(barePort, method, ms));
    const ratios: number[] = [];
    console.log(`\n${method}, ${bytes} bytes an answer\nround       ours req/s   bare req/s   ratio`);
    for (let round = 1; round <= rounds; round++) {
      const ours = await measured(api.child, () => fire(api.port, method, roundMs));
      const theirs = await measured(bare, () => fire(barePort, method, roundMs));
      if (ours.refused + theirs.refused > 0) throw new Error('Requests were refused: the figures mean nothing.');
      ratios.push(ours.perSecond / theirs.perSecond);
      const cells = [ours.perSecond.toFixed(0), theirs.perSecond.toFixed(0), (ratios.at(-1) ?? 0).toFixed(3)];
      console.log(`${String(round).padEnd(8)}${cells.map((cell) => cell.padStart(13)).join('')}`);
    }
    results[method] = median(ratios);
  }
  console.log(`\nlist ratio ${results['tools/list']?.toFixed(3)}`);
  console.log(`ratio ${results['tools/call']?.toFixed(3)}`);
};

/** A seeded token on the curve, and somebody with an API key. */
const chooseSubject = async ({ db, api }: System): Promise<{ key: string; tokenId: string }> => {
  if (!api) throw new Error('The system has no API.');
  const tables: Kysely<Database> = db.withTables();
  const { token_id: tokenId } = await tables
    .selectFrom('token_slug')
    .select('token_id')
    .where('slug', '=', 'paper-boat')
    .executeTakeFirstOrThrow();
  const userId = '00000000-0000-4000-8000-0000000070c5';
  await db.insertInto('app_user').values({ user_id: userId }).execute();
  const { key } = await addApiKey(api.context, api.context.auth.apiKeyBrand, {
    userId,
    name: 'bench',
    scopes: ['read'],
    createdAt: new Date(),
    expiresAt: null,
    actsFrom: null,
  });
  return { key, tokenId };
};

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
};

const parts = (method: Method, params: object, key: string) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } });
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${key}`,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...('name' in params ? { 'mcp-name': String(params.name) } : {}),
  };
  return { body, headers };
};

const requestText = (port: number, method: Method, params: object, key: string): string => {
  const { body, headers } = parts(method, params, key);
  return [
    'POST /functions/v1/mcp HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
};

const answerOf = async (port: number, method: Method, params: object, key: string) => {
  const { body, headers } = parts(method, params, key);
  const answer = await fetch(`http://127.0.0.1:${port}/functions/v1/mcp`, { method: 'POST', headers, body });
  const { result } = (await answer.json()) as { result: { tools: object[]; isError?: boolean } };
  if (answer.status !== 200 || result.isError) throw new Error(`${method} answered ${JSON.stringify(result)}`);
  return result;
};
