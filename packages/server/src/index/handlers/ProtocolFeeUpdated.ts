import { evmEvent } from '../events/evm/evmEvent.ts';
import { poolManagerAbi } from '../events/evm/foreignAbis.ts';
import { numberAt, topicHash } from '../events/evm/words.ts';
import { eventKind } from './event.ts';

/** Uniswap v4's own event, of any pool; those that are not ours are none of our business. */
export const ProtocolFeeUpdated = eventKind('ProtocolFeeUpdated', {
  evm: evmEvent(poolManagerAbi, 'ProtocolFeeUpdated', {
    emitter: 'poolManager',
    decode: ({ topics, data }) => ({
      poolId: topicHash(topics, 1),
      /** The low 12 bits are the fee of a swap from currency 0 to 1, the high 12 bits the other way; pips. */
      protocolFee: numberAt(data, 0),
    }),
  }),
  tokenOf: ({ poolId }, pools) => pools.get(poolId),
  handle(page, { at, poolId, protocolFee }) {
    const token = page.pools.get(poolId);
    if (token !== undefined) page.token(at, token).protocol_fee = protocolFee;
  },
});
