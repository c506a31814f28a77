import { launchpadAbi } from '@mintage/protocol';
import { topicAddress } from '../events/words.ts';
import { eventKind } from './event.ts';

/** The curve is sold out. */
export const Completed = eventKind(launchpadAbi, 'Completed', {
  emitter: 'launchpad',
  decode: ({ topics }) => ({ token: topicAddress(topics, 1) }),
  handle(page, { at, token }) {
    page.token(at, token).completed = true;
  },
});
