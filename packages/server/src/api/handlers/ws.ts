import { MintageError } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

/** Whoever asks for a WebSocket has left HTTP before this (`streams/acceptWebSockets.ts`). */
export const ws = handler(definitions.ws, async () => {
  throw new MintageError('UPGRADE_REQUIRED', 'The request does not ask for a WebSocket');
});
