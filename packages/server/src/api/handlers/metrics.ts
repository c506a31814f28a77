import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

export const metrics = handler(definitions.metrics, async ({ metrics: { registry } }) => ({
  body: await registry.metrics(),
  headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
}));
