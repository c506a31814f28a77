import { randomUUID } from 'node:crypto';
import { MintageError } from '@mintage/protocol';
import { operations } from '@mintage/protocol/operations';
import type { RenderRequest } from '@mintage/web';
import type { Calling } from '../../call.ts';

const gone = (untilMs: number): AbortSignal => AbortSignal.timeout(Math.max(1, untilMs - performance.now()));

/** The calls that pages make while they are rendered: of nobody in particular, within this process. */
export const anybodysCalls = (call: Calling): RenderRequest['api'] => {
  const calls = operations.map((operation) => [
    operation.name,
    async (input: unknown = {}): Promise<unknown> => {
      if (operation.access !== 'public')
        throw new MintageError('AUTHENTICATION_FAILED', 'Pages are rendered for nobody in particular');
      const { output } = await call({ operation, caller: null, input, requestId: randomUUID(), address: '', gone });
      return output;
    },
  ]);
  // One for each operation, as the SDK's type has them: both are made of the same list.
  return Object.fromEntries(calls) as unknown as RenderRequest['api'];
};
