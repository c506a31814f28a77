import { z } from 'zod';
import { operation } from './operation.ts';

export const ws = operation({
  name: 'ws',
  summary: 'Opens a WebSocket with the live streams.',
  description:
    'Messages are JSON text. Send `{"op":"auth"}` first, with `bearer` for topics that are not public, then ' +
    '`{"op":"subscribe","id":"sub_1","subscription":{"topic":"tokenActivity"}}`. Each event carries `seq`; a client ' +
    'that subscribes with it as `cursor` continues there without gaps or repeats. After a reorganisation events are ' +
    'withdrawn by messages of type `retract`. Answers 101. Full reference of messages, codes and limits: ' +
    '`docs/streams.md`.',
  method: 'GET',
  path: '/ws',
  tag: 'Streams',
  input: z.object({}),
  output: z.strictObject({}),
  errors: ['UPGRADE_REQUIRED'],
  access: 'public',
  scope: 'read',
  atRoot: true,
  errorShape: 'A',
});
