import { definitions } from '@mintage/protocol/operations';
import { handler } from './handler.ts';

export const metrics = handler(definitions.metrics, async ({ metrics: { shown } }) => ({
  body: await shown.metrics(),
  headers: { 'content-type': shown.contentType, 'cache-control': 'no-store' },
}));
