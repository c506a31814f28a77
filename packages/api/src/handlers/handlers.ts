import type { OperationName } from '@mintage/protocol/operations';
import type { HandlerOf } from '../context.ts';
import { health } from './health.ts';

/** The handler of each operation. Types fail when an operation has none, or a handler no operation. */
export const handlers: { readonly [Name in OperationName]: HandlerOf<Name> } = { health };
