import type { Operation } from '@mintage/protocol';
import { type OperationName, type Operations, operations } from '@mintage/protocol/operations';
import type { z } from 'zod';

type OperationOf<Name extends OperationName> = Extract<Operations[number], { name: Name }>;
type Output<Name extends OperationName> = z.output<OperationOf<Name>['output']>;

/** Calls one operation of the service over HTTP; its answer is checked by the operation's own schema. */
export type Service = <Name extends OperationName>(name: Name, input: object, bearer?: string) => Promise<Output<Name>>;

/**
 * The service behind this address, without the base path.
 *
 * @throws From every call: the service's own sentence when it answers with an error.
 */
export const openService =
  (baseUrl: string): Service =>
  async <Name extends OperationName>(name: Name, input: object, bearer?: string) => {
    const operation: Operation | undefined = operations.find((candidate) => candidate.name === name);
    if (!operation) throw new Error(`The service has no operation ${name}.`);
    const response = await fetch(`${baseUrl}/functions/v1${operation.path}`, {
      method: operation.method,
      headers: {
        ...(operation.method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
      },
      ...(operation.method === 'POST' ? { body: JSON.stringify(input) } : {}),
    });
    const answer: unknown = await response.json();
    if (!response.ok) {
      const { error, code } = answer as { error?: string; code?: string };
      throw new Error(`${operation.method} ${operation.path} answered ${response.status} ${code}: ${error}`);
    }
    return operation.output.parse(answer) as Output<Name>;
  };
