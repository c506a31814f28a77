import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

/** Only reached without an upgrade: WebSocket requests leave HTTP before this (`streams/acceptWebSockets.ts`). */
export const ws = handler(definitions.ws, async () => {
  throw new MintageError('UPGRADE_REQUIRED', 'The request does not ask for a WebSocket');
});
