import { z } from 'zod';
import type { ErrorCode } from '../schemas/errors.ts';
import { AddressText, Uuid } from '../schemas/scalars.ts';
import { type ActionTypeName, actionTypes } from './actionTypes.ts';
import { type Operation, operation } from './operation.ts';

const names = ['register', ...(Object.keys(actionTypes) as ActionTypeName[])] as const;

const Milliseconds = z.int('must be a whole number of milliseconds').positive('must be more than 0');

/** 65 bytes, with or without 0x. */
export const Signature = z
  .string()
  .regex(/^(0x)?[a-fA-F0-9]{130}$/, 'must be a signature: 130 hex digits')
  .meta({ id: 'Signature' });

/** The `action` of `register`. Source: wire contract 5.2. */
export const RegisterAction = z.object({
  type: z.literal('register'),
  method: z.literal('web3', { error: 'must be web3' }),
  message: z.string().min(1).max(4_096),
  signature: Signature.meta({ description: 'Of the wallet, over the action; absent with a credential.' }),
});

export const platformAction = operation({
  name: 'platformAction',
  summary: 'Runs the action that `action.type` names, with a credential or signed by a wallet.',
  description: [
    '`register` creates the account of a wallet, or returns it if it exists. Every other action has the fields of its route:',
    `${Object.entries(actionTypes)
      .map(([name, { path }]) => `\`${name}\` (\`${path}\`)`)
      .join(', ')}; and its answer, plus \`actionType\` and \`name\`. Here \`mintUsd\` takes whole dollars only.`,
    'A wallet signs `register` and `createToken` by EIP-712: bearer = its address, with `nonce`, `signature` and',
    '`signatureChainId`. Each signature is valid once, until `expiresAfter` milliseconds after its nonce, at most an hour.',
  ].join(' '),
  method: 'POST',
  path: '/platform-action',
  also: [{ method: 'POST', path: '/<platform-slug>' }],
  tag: 'Trading',
  input: z.object({
    source: z.enum(['Mainnet', 'Testnet']).meta({ description: 'Must be the network of this deployment.' }),
    expiresAfter: Milliseconds.max(3_600_000, 'must be at most 3600000: one hour').meta({
      description: 'How long after `nonce` the signature counts; at most an hour.',
    }),
    nonce: Milliseconds.optional().meta({ description: 'Milliseconds since 1970; needed with a signature.' }),
    signature: Signature.optional().meta({ description: 'Of the wallet, over the action; absent with a credential.' }),
    signatureChainId: z
      .string()
      .regex(/^0x[0-9a-fA-F]{1,16}$/, 'must be a chain id in hex')
      .optional()
      .meta({ description: 'EIP-155 id, in hex, of the chain that the signature names.' }),
    action: z
      .looseObject({
        type: z.enum(names, { error: `must be one of ${names.join(', ')}` }).meta({ description: 'Which action.' }),
      })
      .meta({ description: 'The action: beside `type` the fields of its route.' }),
  }),
  output: z.looseObject({
    actionType: z.enum(names).meta({ description: 'As asked.' }),
    name: z.enum(names).meta({ description: 'As asked.' }),
    success: z.literal(true),
    userId: Uuid.optional().meta({ description: 'Present for `register`.' }),
    walletAddress: AddressText.optional().meta({ description: 'Present for `register`.' }),
    method: z.literal('web3').optional().meta({ description: 'Present for `register`.' }),
  }),
  errors: [
    ...new Set<ErrorCode>([
      'AUTHENTICATION_FAILED',
      'SCOPE_MISSING',
      'IDENTITY_NOT_REGISTERED',
      'INVALID_ACTION_SIGNATURE',
      'INVALID_REGISTER_MESSAGE',
      'ACTION_EXPIRED',
      'REPLAY_DETECTED',
      ...Object.values(actionTypes).flatMap(({ errors }) => errors),
    ]),
  ],
  access: 'public',
  scope: 'prepare',
  limit: 'write',
  plainStatuses: true,
  errorShape: 'C',
  media: {
    of: ({ action }) => actionOf(action)?.media !== undefined,
    signedInside: true,
  },
});

const actionOf = (action: unknown): Operation | undefined => {
  const name = (action as { type?: unknown } | undefined)?.type;
  return typeof name === 'string' && Object.hasOwn(actionTypes, name) ? actionTypes[name as ActionTypeName] : undefined;
};

export type PlatformActionInput = z.output<typeof platformAction.input>;
