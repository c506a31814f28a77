import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StreamsServer, startStreams, tradeNews } from '../../testing/streamsFixture.ts';

/** The examples of docs/streams.md, run as a reader would run them. */
const page = readFile(new URL('../../../../../../docs/streams.md', import.meta.url), 'utf8');

describe('docs/streams.md', () => {
  let streams: Awaited<ReturnType<typeof startStreams>>;
  let server: StreamsServer;
  let folder: string;
  beforeAll(async () => {
    streams = await startStreams();
    server = await streams.serve();
    folder = await mkdtemp(join(tmpdir(), 'mintage-replica-'));
  });
  afterAll(async () => {
    await streams.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('the copy stays equal through a reorg and a restart of the server', async () => {
    const [, source] = /```ts\n([\s\S]*?)```/.exec(await page) as unknown as [string, string];
    await writeFile(join(folder, 'replica.ts'), source);
    await streams.publish(...[1, 2, 3].map((block) => tradeNews(block)));
    const replica = spawn(process.execPath, [join(folder, 'replica.ts')], {
      env: { STREAM_URL: server.socketUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let lines: string[] = [];
    replica.stdout.on('data', (text: Buffer) => lines.push(...text.toString().trim().split('\n')));
    try {
      await expect.poll(() => lines.at(-1)).toBe('3 trades');
      const rows = await streams.db.selectFrom('stream_event').select('seq').orderBy('seq').execute();
      const { port } = new URL(server.url);
      await server.stop();
      await streams.publish({ ...tradeNews(3), retracts: rows[2]?.seq ?? 0 }, tradeNews(4), tradeNews(5));
      lines = [];
      server = await streams.serve({}, Number(port));
      await expect.poll(() => lines.at(-1)).toBe('4 trades');
    } finally {
      replica.kill();
    }
  });

  it('the command line reads events', async () => {
    const [, command] = /```sh\n([\s\S]*?)```/.exec(await page) as unknown as [string, string];
    const curl = spawn('sh', ['-c', command], {
      env: { ...process.env, API: server.url },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    curl.stdout.on('data', (part: Buffer) => {
      text += part.toString();
    });
    try {
      await expect
        .poll(() => text)
        .toMatch(/^data: \{"type":"subscribed".*\n\nid: \d+\ndata: \{"type":"event","topic":"tokenActivity"/);
    } finally {
      curl.kill();
    }
  });

  it('every error code and limit that the page names is one', async () => {
    // Codes of the catalogue for which a connection gets another code.
    const mapped = ['INVALID_JSON', 'INVALID_PARAMETERS', 'PAYLOAD_TOO_LARGE', 'SCOPE_MISSING', 'TOKEN_NOT_FOUND'];
    const text = await page;
    const said = new Set(
      (await readFile(new URL('../../../../src/api/surfaces/sockets/conversation.ts', import.meta.url), 'utf8')).match(
        /'[A-Z]+_[A-Z_]+'/g,
      ),
    );
    for (const code of said)
      if (!mapped.includes(code.slice(1, -1))) expect(text).toContain(`\`${code.slice(1, -1)}\``);
  });
});
