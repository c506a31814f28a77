import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { chainStates } from '../reads/chainStates.ts';
import { handler } from './handler.ts';

/**
 * A chain may be this many blocks ahead of the index and still count as indexed: blocks arrive while the last one is
 * written.
 */
const blocksOnTheWay = 2;

export const ready = handler(definitions.ready, async (context) => {
  const details = (await chainStates(context)).flatMap(({ served, status, head, indexed, stillMs }) => {
    const path = served.chain.slug;
    if (status === 'down' && served.indexPulse.isStale)
      return [{ path, message: `has had no new block for ${Math.floor((stillMs ?? 0) / 1000)} s` }];
    if (status !== 'live') return [{ path, message: `is ${status}` }];
    if (head === null || indexed === null) return [{ path, message: 'has not been looked at yet' }];
    return head - indexed > blocksOnTheWay ? [{ path, message: `is indexed to block ${indexed} of ${head}` }] : [];
  });
  if (details.length > 0) {
    const names = details.map(({ path, message }) => `${path} ${message}`).join(', ');
    throw new MintageError('SERVICE_UNAVAILABLE', `Not every chain is indexed to its head: ${names}`, { details });
  }
  return { status: 'ready' };
});
