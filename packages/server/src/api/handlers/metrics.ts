import type { HandlerOf } from './context.ts';

export const metrics: HandlerOf<'metrics'> = async ({ metrics: { registry } }) => ({
  body: await registry.metrics(),
  headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
});
