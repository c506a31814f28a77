import type { Operation } from '../operation.ts';
import { health } from './health.ts';

/**
 * Every operation of the service. Order is the order of the docs. Each has a handler of the same name in
 * `api/src/handlers/`; the build fails when one lacks the other.
 */
export const operations = [health] as const satisfies readonly Operation[];

export type Operations = typeof operations;
export type OperationName = Operations[number]['name'];
