export { type Fault, type FaultKind } from './faults.ts';
export { Client as SolanaClient } from './launchpad/client.ts';
export { deployLaunchpad, giveDollars, type SolanaDeployment } from './launchpad/deploy.ts';
export { base58, launchpadAddress, launchpadInstruction, type Places } from './launchpad/instruction.ts';
export { type SolanaAccounts, solanaAccounts } from './launchpad/people.ts';
export { openTokenAccount, tokenAccountOf } from './launchpad/system.ts';
export type { TestControls } from './methods/testing.ts';
export { type SolanaNode, type SolanaNodeOptions, startSolanaNode } from './node.ts';
