/**
 * Receives the trades that a webhook delivers, each once, and believes nobody but the service:
 *
 *   WEBHOOK_SECRET=whsec_… PORT=3000 npx node examples/webhook-receiver.ts
 *
 * WEBHOOK_SECRET   as `createWebhook` answered it
 * PORT             of the webhook's address, behind whatever ends its TLS; any free one when not set
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { MintageError, verifyWebhook, type WebhookEvent } from '@mintage/sdk';

const secret = process.env.WEBHOOK_SECRET ?? '';

/** Ids of what is done. Yours are in a database, under a unique key, written together with what you do. */
const done = new Set<string>();

/** What is delivered comes at least once: the id is the same each time. */
const take = (id: string, event: WebhookEvent): void => {
  if (done.has(id)) return;
  done.add(id);
  if (event.missed) console.log(`Lost: the events ${event.missed.from} to ${event.missed.to}. Read the state again.`);
  if (event.topic !== 'tokenActivity' || event.data.activity_type !== 'trade') return;
  const { activity_subtype, token_amount, token_address, usd_amount, wallet } = event.data;
  const undone = event.type === 'retract' ? 'did not happen: ' : '';
  console.log(`${undone}${wallet} ${activity_subtype} ${token_amount} of ${token_address} for $${usd_amount}`);
};

/** @returns Status of the answer: 2xx takes it, for anything else it is sent again. */
const statusOf = async (request: IncomingMessage): Promise<number> => {
  try {
    // The bytes as they came: parsed and written again they may be others.
    take(String(request.headers['webhook-id']), await verifyWebhook(secret, request.headers, await buffer(request)));
    return 204;
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    console.error(`${error.code}: ${error.message}`);
    return 401;
  }
};

const server = createServer(async (request, response) => response.writeHead(await statusOf(request)).end());
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.log(`Receiving at http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
