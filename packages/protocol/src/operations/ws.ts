import { z } from 'zod';
import { operation } from './operation.ts';

export const ws = operation({
  name: 'ws',
  summary: 'The live streams as a WebSocket.',
  description:
    'JSON text messages. Say `{"op":"auth"}` first, with `bearer` for what is not public, then ' +
    '`{"op":"subscribe","id":"sub_1","subscription":{"topic":"tokenActivity"}}`. Each event carries `seq`; with it as ' +
    '`cursor` a client goes on where it was, without a gap or a double. A reorg takes events back with messages of type ' +
    '`retract`. Answers 101; all messages, codes and limits are in `docs/streams.md`.',
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
