import type { OperationName, Operations } from '@mintage/protocol/operations';
import type { z } from 'zod';

type OperationOf<Name extends OperationName> = Extract<Operations[number], { name: Name }>;
export type Quote = z.output<OperationOf<'tradeToken'>['output']>['quote'];
