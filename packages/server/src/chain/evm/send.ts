import { type Ask, RpcError } from '../wire.ts';
import { sendRawTransaction } from './calls.ts';

const sendTimeoutMs = 5_000;

/** Asks all providers at the same time; one promise each. */
interface Everyone {
  everyone<Answer>(question: (node: { request: Ask }) => Promise<Answer>): Promise<Answer>[];
}

/**
 * Sends the bytes to every provider.
 *
 * @returns 'accepted' once one took them; 'unknown' when none did and one may have, because it did not answer.
 * @throws RpcError when every provider that answered refused, and all of them answered.
 */
export const sendToAll = async (rpc: Everyone, raw: string): Promise<'accepted' | 'unknown'> => {
  const sending = rpc.everyone(async (node) => {
    try {
      await node.request(sendRawTransaction(raw), sendTimeoutMs);
    } catch (error) {
      if (!(error instanceof RpcError && isKnown(error))) throw error;
    }
  });
  try {
    await Promise.any(sending);
    return 'accepted';
  } catch (error) {
    const reasons = (error as AggregateError).errors as unknown[];
    if (reasons.every((reason) => reason instanceof RpcError)) throw reasons[0];
    return 'unknown';
  }
};

/** The very same bytes are in the pool or in a block already. */
const isKnown = ({ message }: RpcError): boolean => /already known|already imported|known transaction/i.test(message);
