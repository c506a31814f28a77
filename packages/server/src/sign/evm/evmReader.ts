import { type EvmDeployment, requireHex, tokenAddressOf } from '@mintage/protocol';
import type { StepBytes, StepReader } from '../policy/policy.ts';
import { type CallBytes, readActions } from './readActions.ts';
import { readApprovals } from './readApprovals.ts';

/** Reads calls of the contracts of one EVM chain. */
export const evmReader = (
  deployment: Pick<
    EvmDeployment,
    'chainId' | 'launchpad' | 'tokenBridge' | 'tokenFactory' | 'tokenImplementation' | 'usd'
  >,
): StepReader => ({
  actions: (step) => readActions(callOf(step), deployment),
  approvals: (step) => readApprovals(callOf(step), deployment),
  coinsSent: ({ value }) => value,
  tokenAddress: (creator, salt) => tokenAddressOf(deployment, requireHex(creator), salt),
});

const callOf = ({ to, data }: StepBytes): CallBytes => ({ to: requireHex(to), data });
