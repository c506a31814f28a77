import { MintageError } from '@mintage/protocol';
import type { HandlerOf } from './context.ts';

/** Whoever asks for a WebSocket has left HTTP before this (`streams/acceptWebSockets.ts`). */
export const ws: HandlerOf<'ws'> = async () => {
  throw new MintageError('UPGRADE_REQUIRED', 'The request does not ask for a WebSocket');
};
