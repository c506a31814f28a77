import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

export const health = handler(definitions.health, async () => ({ status: 'ok' }));
