import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@mintage/devnet/freePort';
import { until } from '@mintage/devnet/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverWebhooks } from '../../../../src/api/surfaces/webhooks/deliver.ts';
import { startWebhookWorld, tell, type WebhookWorld } from '../../webhooks/webhooksFixture.ts';

/** The receiver of docs/webhooks.md, run as a reader would run it. */
const page = new URL('../../../../../../docs/webhooks.md', import.meta.url);

describe('docs/webhooks.md', () => {
  let world: WebhookWorld;
  let folder: string;
  beforeAll(async () => {
    world = await startWebhookWorld();
    folder = await mkdtemp(join(tmpdir(), 'mintage-receive-'));
  });
  afterAll(async () => {
    await world.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('the receiver takes what is genuine, once, and nothing else', async () => {
    const [, source] = /```ts\n([\s\S]*?)```/.exec(await readFile(page, 'utf8')) as unknown as [string, string];
    await writeFile(join(folder, 'receive.ts'), source);
    const port = await freePort();
    const { id, secret } = await world.make(`http://127.0.0.1:${port}/`);
    const receiver = spawn(process.execPath, [join(folder, 'receive.ts')], {
      env: { PORT: String(port), WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    receiver.stdout.on('data', (text: Buffer) => {
      printed += text.toString();
    });
    const stop = deliverWebhooks(world.api.context, { pollMs: 15 });
    try {
      await until(async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) !== null);
      const [first, second] = (await tell(world.db, 'tokenActivity', [{ data: { activity_type: 'trade' } }, {}])) as [
        number,
        number,
      ];
      await until(() => printed.includes(`event tokenActivity ${second}`));
      expect(printed).toMatch(new RegExp(`^event tokenActivity ${first} .*activity_type: 'trade'`));

      const lines = printed;
      const bearer = world.user.accessToken;
      const again = await world.api.call('redeliverWebhook', { id, seq: first }, { bearer });
      expect(again.body.delivery).toMatchObject({ status: 'delivered', responseCode: 204 });
      await world.api.call('rotateWebhookSecret', { id }, { bearer });
      const overlapping = await world.api.call('redeliverWebhook', { id, seq: second }, { bearer });
      expect(overlapping.body.delivery).toMatchObject({ status: 'delivered' });
      await world.api.call('rotateWebhookSecret', { id, overlapSeconds: 0 }, { bearer });
      const forged = await world.api.call('redeliverWebhook', { id, seq: second }, { bearer });
      expect(forged.body.delivery).toMatchObject({ status: 'failed', responseCode: 401 });
      expect(printed).toBe(lines);
    } finally {
      await stop();
      receiver.kill();
    }
  });
});
