import { z } from 'zod';
import type { Slug } from '../chains/chains.ts';

/** The chains of the specification; a deployment may name more. */
export const specifiedToolChains = ['base', 'base-sepolia'] as const satisfies readonly Slug[];

/** The chains that token tools take. */
export const toolChain = (slugs: readonly Slug[]) =>
  z.enum(slugs as readonly [Slug, ...Slug[]], { error: `must be ${slugs.join(' or ')}` });

export type ToolChain = ReturnType<typeof toolChain>;
