import type { Operation } from '../operation.ts';

/** Every operation of the service. Order is the order of the docs. */
export const operations: readonly Operation[] = [];
