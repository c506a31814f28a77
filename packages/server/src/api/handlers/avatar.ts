import { definitions } from '@mintage/protocol/operations';
import { minidenticon } from 'minidenticons';
import { handler } from './handler.ts';

const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

export const avatar = handler(definitions.avatar, async (_, { whose }) => ({
  body: minidenticon(whose.slice(0, -'.svg'.length).toLowerCase()),
  headers: { ...headers, 'content-type': 'image/svg+xml' },
}));
