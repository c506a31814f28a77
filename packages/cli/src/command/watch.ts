import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Subscription } from '@mintage/sdk';
import type { Shell } from '../shell.ts';

/** Changes that come within this time are shown together, milliseconds. */
const pauseMs = 300;

/** Shows something now and after every change that a stream tells, until Ctrl-C. With --json the changes themselves follow it. */
export const watch = async (
  { output }: Shell,
  client: Client,
  subscription: Subscription,
  show: () => Promise<void>,
): Promise<void> => {
  let isShowing: Promise<void> | null = null;
  let isDue = false;
  const redraw = async (): Promise<void> => {
    while (isDue) {
      isDue = false;
      if (process.stdout.isTTY) process.stdout.write('\x1b[2J\x1b[3J\x1b[H');
      await show();
      await sleep(pauseMs);
    }
    isShowing = null;
  };
  const failed = new AbortController();
  for await (const item of client.stream(subscription as never, { signal: failed.signal })) {
    if (output.isJson && item.type !== 'begin') {
      output.json(item);
      continue;
    }
    isDue = true;
    isShowing ??= redraw().catch((error: unknown) => failed.abort(error));
  }
};
