import type { HandlerOf } from './context.ts';

export const health: HandlerOf<'health'> = async () => ({ status: 'ok' });
