import { type Hex, keccak256, parseTransaction } from 'viem';
import type { NewAttempt } from '../signingLog/newAttempt.ts';
import type { Call } from './call.ts';
import type { EvmLane } from './chainAccess.ts';
import type { Fees } from './fees.ts';
import type { WalletKey } from './walletKey.ts';

/** What is signed besides its fees: a step of an intent with its nonce, or a cancellation in its place. */
export interface NumberedCall extends Call {
  nonce: number;
  kind: 'call' | 'cancel';
  /** Units of gas. */
  gasLimit: number;
}

/** Bytes of this chain family. */
export interface EvmAttempt extends NewAttempt {
  hash: Hex;
  nonce: number;
  fees: Fees;
}

/**
 * A cancellation: it uses the nonce of `call` for an empty transaction. The gas limit stays, because a rollup may need
 * more than 21,000.
 */
export const cancellationOf = (call: NumberedCall, wallet: Hex): NumberedCall => ({
  ...call,
  kind: 'cancel',
  to: wallet,
  value: 0n,
  data: '0x',
});

/**
 * Signs. The bytes go into the signing log and the tables before they are sent.
 *
 * @param signedBlock - Newest block now.
 */
export const signCall = (
  { chain }: EvmLane,
  key: WalletKey,
  { nonce, kind, to, value, data, gasLimit }: NumberedCall,
  fees: Fees,
  signedBlock: number,
): EvmAttempt => {
  const common = { chainId: chain.chainId, nonce, to, value, data, gas: BigInt(gasLimit) };
  const raw = key.sign(
    chain.gas.eip1559
      ? { type: 'eip1559', ...common, ...fees }
      : { type: 'legacy', ...common, gasPrice: fees.maxFeePerGas },
  );
  return { hash: keccak256(raw), raw, nonce, kind, fees, signedBlock, validUntilBlock: null };
};

/** What was signed. */
export const signedCall = ({ raw, nonce }: EvmAttempt): NumberedCall => {
  const { to, value = 0n, data = '0x', gas } = parseTransaction(raw);
  if (to == null || gas === undefined) throw new Error(`The signed transaction with nonce ${nonce} is not a call.`);
  return { to, value, data, gasLimit: Number(gas), nonce, kind: 'call' };
};
