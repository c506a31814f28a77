import type { Command } from 'commander';
import { subscriptionOf } from '../command/words.ts';
import { topics } from '../generated/operations.ts';
import { type GlobalOptions, openShell } from '../shell.ts';

/** Events of a topic as they happen, one JSON document a line, until Ctrl-C. */
export const stream = (command: Command): void => {
  command.argument('<topic>', Object.keys(topics).join(', '));
  command.argument('[filters...]', 'name=value, as tokenId=paper-boat or cursor=earliest');
  command.action(async (topic: string, words: string[]) => {
    const shell = openShell(command.opts<GlobalOptions>());
    const subscription = subscriptionOf(topic, words);
    const client = await shell.client();
    for await (const item of client.stream(subscription as never)) shell.output.json(item);
  });
};
