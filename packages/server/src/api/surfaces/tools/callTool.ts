import { inputSchemaOf, isWrite, MintageError, type Operation } from '@mintage/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Caller } from '../../accounts/caller.ts';
import { requireAccess } from '../../accounts/requireAccess.ts';
import type { Call, Context } from '../../handlers/context.ts';
import { handlers } from '../../handlers/handlers.ts';
import { once } from '../../limits/idempotency.ts';
import { toMintageError } from '../../wire/errorAnswer.ts';
import { parseInput } from '../../wire/parseInput.ts';
import type { TimeLimit } from '../../wire/timeLimit.ts';
import { requireSuccess } from './requireSuccess.ts';
import type { ToolRequest } from './serveMcp.ts';
import { failedResult, toolResult } from './toolResult.ts';
import type { ServedTool } from './toolSet.ts';

type AnyHandler = (context: Context, input: unknown, call: Call) => Promise<unknown>;

export interface ToolCall {
  context: Context;
  inTime: TimeLimit;
  caller: Caller;
  request: ToolRequest;
  /** `_meta.idempotencyKey`: a write with it is done once. */
  key: string | undefined;
}

/** One call: scope, parameters, the operation's own handler, answer. Every failure is an answer too. */
export const callTool = async (call: ToolCall, served: ServedTool, given: unknown): Promise<CallToolResult> => {
  const { context, request } = call;
  const requestId = request.id;
  const started = performance.now();
  const log = (code: string) =>
    context.log.info({
      requestId,
      tool: served.tool.name,
      userId: call.caller.userId,
      code,
      ms: Math.round(performance.now() - started),
    });
  try {
    const answer = await answerOf(call, served, given);
    const result = toolResult(answer, served.untrusted);
    log('ok');
    return result;
  } catch (error) {
    const known = toMintageError(error, requestId);
    if (known.kind.status >= 500) context.log.error({ requestId, err: known.cause ?? known }, known.message);
    log(known.code);
    return failedResult(known, requestId);
  }
};

const answerOf = async (call: ToolCall, { tool }: ServedTool, given: unknown): Promise<object> => {
  const { context, caller, request } = call;
  const { operation } = tool;
  // Also of what is public over REST: whoever calls a tool is known and has at least this scope.
  const access = operation.access === 'public' ? 'caller' : operation.access;
  await requireAccess(context, { access, scope: operation.scope }, caller);
  const parameters = parseInput(inputSchemaOf(tool, given), given) as z.output<typeof tool.input>;
  if (parameters.autoExecute === true) await requireAccess(context, { access: 'caller', scope: 'execute' }, caller);
  const input = parseInput(operation.input, tool.toInput(parameters));
  const untilMs = performance.now() + context.config.handlerTimeoutMs;
  const { key } = call;
  const keyed = key !== undefined && isWrite(operation, input) ? { idempotencyKey: key } : {};
  const gone = () => request.gone(untilMs);
  const { id: requestId, address } = request;
  const work = () => handlerOf(operation)(context, input, { ...keyed, caller, requestId, address, untilMs, gone });
  const { db, offLoop } = context;
  const answer =
    key !== undefined && isWrite(operation, input)
      ? (await call.inTime(once({ db, offLoop, operation, userId: caller.userId, address, key, input }, work))).output
      : await call.inTime(work());
  const shown = tool.toAnswer(answer, parameters);
  if (context.config.checkOutputs) {
    operation.output.parse(answer);
    tool.output.parse(shown);
  }
  return requireSuccess(call, shown, untilMs);
};

/** `handlers` has exactly one handler per operation; a loop cannot say so in types. */
const handlerOf = (operation: Operation): AnyHandler => {
  const handler = handlers[operation.name as keyof typeof handlers] as unknown as AnyHandler | undefined;
  if (handler === undefined) throw new MintageError('INTERNAL_ERROR', `${operation.name} has no handler`);
  return handler;
};
