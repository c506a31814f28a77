import { inputSchemaOf } from '@mintage/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { inSpan } from '../../../tracing.ts';
import { requireAccess } from '../../accounts/requireAccess.ts';
import { toMintageError } from '../../wire/errorAnswer.ts';
import { parseInput } from '../../wire/parseInput.ts';
import { requireSuccess } from './requireSuccess.ts';
import type { ToolCall } from './toolCall.ts';
import { failedResult, toolResult } from './toolResult.ts';
import type { ServedTool } from './toolSet.ts';

/** Runs one tool call: scope, parameters, the operation's own handler, answer. A failure is an answer too. */
export const callTool = async (one: ToolCall, served: ServedTool, given: unknown): Promise<CallToolResult> => {
  const { context, request, caller } = one;
  const requestId = request.id;
  const started = performance.now();
  const log = (code: string) =>
    context.log.info({
      requestId,
      tool: served.tool.name,
      userId: caller.userId,
      code,
      ms: Math.round(performance.now() - started),
    });
  try {
    const { name } = served.tool;
    const answer = await inSpan(`tool ${name}`, { 'mintage.tool': name }, () => answerOf(one, served, given));
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

const answerOf = async (one: ToolCall, { tool }: ServedTool, given: unknown): Promise<object> => {
  const { context, caller, request, key } = one;
  const { operation } = tool;
  // Also for operations that are public over REST: a tool call always needs a credential with at least this scope.
  await requireAccess(context, { access: 'caller', scope: operation.scope }, caller);
  const parameters = parseInput(inputSchemaOf(tool, given), given) as z.output<typeof tool.input>;
  if (parameters.autoExecute === true) await requireAccess(context, { access: 'caller', scope: 'execute' }, caller);
  const { id: requestId, address, gone } = request;
  const input = tool.toInput(parameters);
  const { output, untilMs } = await one.call({ operation, caller, input, key, requestId, address, gone });
  const shown = tool.toAnswer(output, parameters);
  if (context.config.checkOutputs) tool.output.parse(shown);
  return requireSuccess(one, shown, untilMs);
};
