import { definitions } from '@mintage/protocol/operations';
import { minidenticon } from 'minidenticons';
import { fileHeaders } from '../media/fileHeaders.ts';
import { handler } from './handler.ts';

export const avatar = handler(definitions.avatar, async (_, { whose }) => ({
  body: minidenticon(whose.slice(0, -'.svg'.length).toLowerCase()),
  headers: { ...fileHeaders, 'content-type': 'image/svg+xml' },
}));
