import type { WebhookSubscription } from '@mintage/sdk';
import type { Command } from 'commander';
import { group } from '../command/group.ts';
import { read } from '../command/read.ts';
import { subscriptionOf } from '../command/words.ts';
import { facts, table } from '../output/table.ts';
import { ago } from '../output/words.ts';
import { type GlobalOptions, openShell } from '../shell.ts';

const create = (command: Command): void => {
  command.argument('<url>', 'where deliveries are posted').argument('<topic>', 'of the stream');
  command.argument('[filters...]', 'name=value, as tokenId=paper-boat');
  command.action(async (url: string, topic: string, words: string[]) => {
    const shell = openShell(command.opts<GlobalOptions>());
    const subscription = subscriptionOf(topic, words) as WebhookSubscription;
    const answer = await (await shell.client()).createWebhook({ url, subscription });
    if (shell.output.isJson) return shell.output.json(answer);
    shell.output.print(
      facts([
        ['Secret', { text: answer.secret, tone: 'bold' }, 'shown only now'],
        ['Id', answer.webhook.id],
      ]),
    );
  });
};

export const webhooks = group({
  list: [
    'Lists your webhooks.',
    read({
      operation: 'listWebhooks',
      show: ({ webhooks: listed }) =>
        table(listed, [
          { head: 'id', of: ({ id }) => id },
          { head: 'address', of: ({ url }) => url },
          { head: 'topic', of: ({ subscription }) => subscription.topic },
          { head: 'state', of: ({ status }) => ({ text: status, tone: status === 'active' ? 'up' : 'down' }) },
          { head: 'behind', isNumber: true, of: ({ watermark, cursor }) => watermark - cursor },
          { head: 'last error', of: ({ lastError }) => lastError },
          { head: 'made', isNumber: true, of: ({ createdAt }) => ago(createdAt) },
        ]),
    }),
  ],
  create: ['Makes a webhook; its signing secret is shown once.', create],
  delete: ['Deletes a webhook.', read({ operation: 'deleteWebhook', words: { id: 'id' }, show: () => 'Deleted.' })],
  rotate: [
    'Gives a webhook a new secret.',
    read({
      operation: 'rotateWebhookSecret',
      words: { id: 'id' },
      show: ({ secret, previousSecretUntil }) =>
        facts([
          ['Secret', { text: secret, tone: 'bold' }, 'shown only now'],
          ['The old one', previousSecretUntil, 'until then both sign'],
        ]),
    }),
  ],
  deliveries: [
    'Lists what was delivered to a webhook, and what was not.',
    read({
      operation: 'listWebhookDeliveries',
      words: { id: 'id' },
      show: ({ deliveries }) =>
        table(deliveries, [
          { head: '#', isNumber: true, of: ({ number }) => number },
          { head: 'event', isNumber: true, of: ({ seq }) => seq },
          { head: 'state', of: ({ status }) => ({ text: status, tone: status === 'delivered' ? 'up' : 'down' }) },
          { head: 'answer', of: ({ responseCode, error }) => error ?? responseCode },
          { head: 'ms', isNumber: true, of: ({ durationMs }) => durationMs },
          { head: 'when', isNumber: true, of: ({ at }) => ago(at) },
        ]),
    }),
  ],
  redeliver: [
    'Delivers an event once more, or all from one on.',
    read({
      operation: 'redeliverWebhook',
      words: { id: 'id' },
      show: ({ webhook, delivery }) =>
        facts([
          ['State', webhook.status],
          ['Delivered', delivery?.status, delivery?.error ?? ''],
        ]),
    }),
  ],
});
