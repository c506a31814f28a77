import { type EvmDeployment, formatUnits, MintageError, requireHex } from '@mintage/protocol';
import { encodeFunctionData, erc20Abi, type Hex } from 'viem';
import type { PreparedCall } from '../chainClient.ts';
import type { Rpc } from '../rpc.ts';
import { RpcError } from '../wire.ts';
import { call, simulate } from './calls.ts';

export interface DollarTaker {
  rpc: Pick<Rpc, 'request'>;
  deployment: Pick<EvmDeployment, 'launchpad' | 'usd' | 'usdSymbol' | 'usdDecimals'>;
}

export interface FailedCall {
  wallet: Hex;
  to: string | null;
  /** At the end of which it failed, after the calls of `before`. */
  blockNumber: number;
  before?: readonly PreparedCall[];
}

/**
 * Says which was too low where the Launchpad could not take dollars, the wallet's balance or its approval: the transfer library hides
 * the dollar's own reason. Whatever else failed is returned as it is.
 *
 * @throws ChainDownError when no provider answers.
 */
export const explainShortage = async <E>(
  { rpc, deployment }: DollarTaker,
  error: E,
  { wallet, to, blockNumber, before = [] }: FailedCall,
): Promise<E | MintageError> => {
  const { launchpad, usd, usdSymbol, usdDecimals } = deployment;
  if (to !== launchpad || !(error instanceof MintageError) || !isTransferFailure(error)) return error;
  const answers = await allowanceAndBalance({ rpc, deployment }, wallet, before, blockNumber).catch(
    (refusal: unknown) => {
      // The provider does not say: it may have been either.
      if (refusal instanceof RpcError) return null;
      throw refusal;
    },
  );
  if (answers === null || answers.includes('0x')) return error;
  const [allowance, balance] = answers.map(BigInt) as [bigint, bigint];
  const amount = (units: bigint): string => `${formatUnits(units, usdDecimals)} ${usdSymbol}`;
  const details = { ...(error.details as object), spender: launchpad, token: usd, allowanceRaw: `${allowance}` };
  // The call needed more than the lesser of the two.
  return allowance < balance
    ? new MintageError(
        'INSUFFICIENT_ALLOWANCE',
        `The launchpad ${launchpad} may take ${amount(allowance)} (${usd}) of the wallet, less than the transaction takes.`,
        { details },
      )
    : new MintageError(
        'INSUFFICIENT_BALANCE',
        `The wallet holds ${amount(balance)}, less than the transaction takes.`,
        {
          details,
        },
      );
};

const allowanceAndBalance = async (
  { rpc, deployment: { launchpad, usd } }: DollarTaker,
  wallet: Hex,
  before: readonly PreparedCall[],
  blockNumber: number,
): Promise<Hex[]> => {
  const reads = [
    encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [wallet, launchpad] }),
    encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] }),
  ].map((data) => ({ to: usd, data }));
  if (before.length === 0) return Promise.all(reads.map((read) => rpc.request(call(read, blockNumber))));
  const earlier = before.map((one) => ({ ...one, from: wallet, to: requireHex(one.to) }));
  const results = await rpc.request(simulate([...earlier, ...reads], blockNumber));
  return results.slice(before.length).map(({ returnData }) => returnData);
};

const isTransferFailure = ({ details }: MintageError): boolean =>
  (details as { error?: unknown } | null)?.error === 'TransferFromFailed';
