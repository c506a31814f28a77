import type { Caller } from '../../accounts/caller.ts';
import type { Calling } from '../../call.ts';
import type { ServiceContext } from '../serviceContext.ts';
import type { ToolRequest } from './serveMcp.ts';

export interface ToolCall {
  context: ServiceContext;
  call: Calling;
  caller: Caller;
  request: ToolRequest;
  /** `_meta.idempotencyKey`: a write with this key runs once. */
  key: string | undefined;
}
