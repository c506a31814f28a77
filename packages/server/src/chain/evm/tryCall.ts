import { type Chain, decodeRevert, type EvmDeployment, formatUnits, MintageError, requireHex } from '@mintage/protocol';
import type { Hex } from 'viem';
import { areNear } from '../agreement.ts';
import type { ChainClient, PreparedCall } from '../chainClient.ts';
import { gasLimitOf, requireSuccess } from '../outcome.ts';
import type { Rpc } from '../rpc.ts';
import { RpcError } from '../wire.ts';
import { blockNumber as askBlockNumber, estimateGas, getBalance } from './calls.ts';
import { explainShortage } from './dollarShortage.ts';
import { revertDataOf } from './revert.ts';
import { simulate } from './simulate.ts';

interface On {
  rpc: Rpc;
  chain: Chain;
  deployment: EvmDeployment;
}

/** `ChainClient.tryCall`. */
export const tryCall = async (
  on: On,
  ...[address, call, openAt]: Parameters<ChainClient['tryCall']>
): ReturnType<ChainClient['tryCall']> => {
  const { rpc } = on;
  const wallet = requireHex(address);
  const blockNumber = await newestBlock(rpc);
  const before = await openAt(blockNumber);
  await requireCoin(on, wallet, call, blockNumber);
  if (before.length > 0) {
    const outcome = await simulate(on, wallet, [call], { blockNumber, before });
    requireSuccess(outcome);
    // The simulated gas is after refunds, which are at most a fifth of the gas used along the way.
    return { gasLimit: gasLimitOf(((outcome as { gasUsed: bigint }).gasUsed * 5n + 3n) / 4n), blockNumber };
  }
  const gas = await estimate(rpc, wallet, call, blockNumber).catch(async (error: unknown) => {
    throw await explainShortage(on, error, { wallet, to: call.to, blockNumber });
  });
  return { gasLimit: gasLimitOf(gas), blockNumber };
};

/** The newest block that two providers have. */
const newestBlock = async (rpc: Rpc): Promise<number> => {
  const { answer } = await rpc.agreedAtHead(async (node, at) => ({
    block: at === 'latest' ? await node.request(askBlockNumber()) : at,
  }));
  return answer.block;
};

const estimate = async (
  rpc: Rpc,
  from: Hex,
  { to, data, value = 0n }: PreparedCall,
  blockNumber: number,
): Promise<bigint> => {
  try {
    const request = { from, to: requireHex(to), data, value };
    const { answers } = await rpc.agreed((node) => node.request(estimateGas(request, blockNumber)), { same: areNear });
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
  { rpc, chain }: Omit<On, 'deployment'>,
  wallet: Hex,
  { value = 0n }: PreparedCall,
  blockNumber: number,
): Promise<void> => {
  if (value === 0n) return;
  const { answer: balance } = await rpc.agreed((node) => node.request(getBalance(wallet, blockNumber)));
  if (balance >= value) return;
  const { nativeSymbol, nativeDecimals } = chain;
  const [has, needs] = [balance, value].map((wei) => `${formatUnits(wei, nativeDecimals)} ${nativeSymbol}`);
  throw new MintageError('INSUFFICIENT_BALANCE', `The wallet ${wallet} has ${has} and would send ${needs}`);
};
