import { launchpadAbi } from '@mintage/protocol';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { topicAddress } from '../events/evm/words.ts';
import { solanaEvent } from '../events/solana/solanaEvent.ts';
import { eventKind } from './event.ts';

/** The curve is sold out. */
export const Completed = eventKind('Completed', {
  evm: evmEvent(launchpadAbi, 'Completed', {
    emitter: 'launchpad',
    decode: ({ topics }) => ({ token: topicAddress(topics, 1) }),
  }),
  solana: solanaEvent('Completed', ({ mint }) => ({ token: mint })),
  handle(page, { at, token }) {
    page.token(at, token).completed = true;
  },
});
