import { z } from 'zod';
import type { ErrorCode } from '../schemas/errors.ts';
import { type InfoTypeName, infoTypes } from './infoTypes.ts';
import { type Operation, operation } from './operation.ts';

const types = Object.values(infoTypes);
const names = Object.keys(infoTypes) as InfoTypeName[];
const own = types
  .filter((type) => (type.operation as Operation).access === 'caller')
  .map((type) => type.operation.name);

type Member = (typeof types)[number];
/** Types of a union are read from a tuple; a mapped list has its members' types all the same. */
const members = <Side extends 'input' | 'output'>(side: Side) =>
  types.map((type) => type[side]) as [Member[Side], ...Member[Side][]];

export const info = operation({
  name: 'info',
  summary: 'Answers the read that `type` names.',
  description: [
    'The operation of that name answers, and the answer repeats `type`. Where it differs from the answer of the REST',
    `route, the type has its own schema. These need a credential with the scope \`read\`: ${own.join(', ')}; all others are`,
    'public. Instead of a credential a wallet may sign the read: bearer = address, and the four `x-info-*` headers.',
  ].join(' '),
  method: 'POST',
  path: '/info',
  tag: 'Tokens',
  input: z.discriminatedUnion('type', members('input'), { error: `must be one of ${names.join(', ')}` }),
  output: z.discriminatedUnion('type', members('output')),
  errors: [
    ...new Set<ErrorCode>([
      'AUTHENTICATION_FAILED',
      'ACTION_EXPIRED',
      'IDENTITY_NOT_REGISTERED',
      'SCOPE_MISSING',
      ...types.flatMap((type) => type.operation.errors),
    ]),
  ],
  walletSigned: true,
  access: 'public',
  scope: 'read',
  errorShape: 'C',
  example: { type: 'searchToken', input: 'mintage' },
});
