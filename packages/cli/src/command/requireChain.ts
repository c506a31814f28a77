import { Failure } from '../failure.ts';
import type { Shell } from '../shell.ts';

/** The chain that is meant: named, of the variable, or the profile's. */
export const requireChain = (shell: Shell, named: string | undefined): string => {
  const chain = named ?? (process.env.MINTAGE_CHAIN || shell.profile?.chain);
  if (chain) return chain;
  throw new Failure('usage', 'On which chain?', 'Add --chain <slug>; `mintage chains` lists them.');
};
