import { setTimeout } from 'node:timers/promises';
import type { Executing } from '../../execution/executing.ts';
import { openIntents } from '../../execution/openIntents.ts';
import { signersNow } from '../../execution/signers.ts';
import { mediaBytes } from '../../media/quotas.ts';
import { chainStates, standstillMs } from '../../reads/chainStates.ts';
import type { Metrics } from './metrics.ts';

const everyMs = 5_000;
/** Between two checks that the providers serve the right chain; sooner than a question would have to check it. */
const checkEveryMs = 45_000;

interface Watched extends Executing {
  metrics: Metrics;
}

/**
 * Updates the gauges of the chains, of their open intents, of the signers and of stored files, and asks a chain that is down until it answers again.
 *
 * @returns Stops the watch.
 */
export const watchChains = (context: Watched): (() => Promise<void>) => {
  const lastCheckMs = new Map<string, number>();

  const look = async (): Promise<void> => {
    for (const [slug, { client }] of context.chains) {
      if (client.up && context.now() - (lastCheckMs.get(slug) ?? 0) < checkEveryMs) continue;
      lastCheckMs.set(slug, context.now());
      await client.check().catch((err: unknown) => context.log.warn({ err, chain: slug }, 'A chain is down.'));
    }
    for (const { served, status, head, indexed, lagMs } of await chainStates(context)) {
      context.metrics.setChain(served.chain.slug, {
        up: served.client.up,
        paused: status === 'paused',
        providers: served.client.providers,
        headBlock: head ?? 0,
        indexedBlock: indexed ?? 0,
        lagMs: () => Math.max(lagMs ?? 0, standstillMs(served)),
      });
    }
    for (const open of await openIntents(context)) context.metrics.setIntents(open);
    context.metrics.setSigners(await signersNow(context));
    context.metrics.setMediaBytes(await mediaBytes(context.db));
  };

  const stop = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await look().catch((err: unknown) => context.log.error({ err }, 'The watch over the chains failed.'));
      await setTimeout(everyMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  };
  const ended = loop();
  return async () => {
    stop.abort();
    await ended;
  };
};
