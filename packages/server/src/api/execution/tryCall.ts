import { decodeRevert, formatUnits, MintageError } from '@mintage/protocol';
import { areNear } from '../../chain/agreement.ts';
import { blockNumber as askBlockNumber, estimateGas, getBalance } from '../../chain/evm/calls.ts';
import { revertDataOf } from '../../chain/evm/revert.ts';
import type { Address, ChainContext } from '../../chain/servedChain.ts';
import { RpcError } from '../../chain/wire.ts';
import { gasLimitOf } from '../trade/gas.ts';
import { type PreparedCall, requireSuccess, simulate } from '../trade/simulate.ts';
import type { Executing } from './executing.ts';
import { openCalls } from './openCalls.ts';

/**
 * Simulates a call of the embedded wallet on top of the calls it has in progress.
 *
 * @returns The gas limit it needs, with a fifth added, and the newest block, on which it was simulated.
 * @throws MintageError the decoded reason when it fails, INSUFFICIENT_BALANCE, NETWORK_ERROR.
 */
export const tryCall = async (
  context: Executing,
  served: ChainContext,
  wallet: Address,
  call: PreparedCall,
): Promise<{ gasLimit: bigint; blockNumber: number }> => {
  const { blockNumber } = await newestBlock(served);
  const before = await openCalls(context, served, wallet, blockNumber);
  await requireCoin(served, wallet, call, blockNumber);
  if (before.length === 0)
    return { gasLimit: gasLimitOf(await estimate(served, wallet, call, blockNumber)), blockNumber };
  const outcome = await simulate(served, wallet, [call], blockNumber, undefined, before);
  requireSuccess(outcome);
  // The simulated gas is after refunds, which are at most a fifth of the gas used along the way.
  return { gasLimit: gasLimitOf(((outcome as { gasUsed: bigint }).gasUsed * 5n + 3n) / 4n), blockNumber };
};

/** The newest block that two providers have. */
const newestBlock = async ({ rpc }: ChainContext): Promise<{ blockNumber: number }> => {
  const { answer } = await rpc.agreedAtHead(async (node, at) => ({
    block: at === 'latest' ? await node.request(askBlockNumber()) : at,
  }));
  return { blockNumber: answer.block };
};

const estimate = async (
  { rpc }: ChainContext,
  from: Address,
  { to, data, value = 0n }: PreparedCall,
  blockNumber: number,
): Promise<bigint> => {
  try {
    const { answers } = await rpc.agreed((node) => node.request(estimateGas({ from, to, data, value }, blockNumber)), {
      same: areNear,
    });
    return answers.reduce((most, one) => (one > most ? one : most));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    throw decodeRevert(revertDataOf(error) ?? '0x');
  }
};

/**
 * Checks the native coin balance by a query of its own: nodes report a lack of it in differing words, or not at all.
 * The signer adds the cost of gas.
 */
const requireCoin = async (
  { rpc, chain }: ChainContext,
  wallet: Address,
  { value = 0n }: PreparedCall,
  blockNumber: number,
): Promise<void> => {
  if (value === 0n) return;
  const { answer: balance } = await rpc.agreed((node) => node.request(getBalance(wallet, blockNumber)));
  if (balance >= value) return;
  const [has, needs] = [balance, value].map((wei) => `${formatUnits(wei, nativeDecimals)} ${chain.nativeSymbol}`);
  throw new MintageError('INSUFFICIENT_BALANCE', `The wallet ${wallet} has ${has} and would send ${needs}`);
};

const nativeDecimals = 18;
