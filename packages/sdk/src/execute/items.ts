import { decodeStrictly, launchpadAbi } from '@mintage/protocol';
import { erc20Abi, type Hex } from 'viem';
import type { DecodedCall } from '../generated/types.ts';
import { lower, type TrustedChain } from '../trusted.ts';
import type { MarketOrder } from './checkMarket.ts';
import { differs, requireSame } from './differs.ts';

/** A call that has been held against its answer. */
export interface CheckedCall {
  chain: TrustedChain;
  to: Hex;
  data: Hex;
  /** Wei. */
  value: bigint;
  /** Gas limit; null: the wallet estimates. */
  gas: bigint | null;
  /** Dollars that the Launchpad takes in this call, base units: at least as much must be approved before. */
  takesUsd: bigint;
  /** Unix seconds; null: none. */
  deadline: bigint | null;
  /** What `execute` holds against the chain; null for what has no price, or one that nobody can move. */
  order: MarketOrder | null;
}

interface Item {
  to: string;
  data: string;
  value: string;
  gasLimit: string;
}

/** An item of an answer as a call, not yet checked but for its form. */
export const callOf = (
  chain: TrustedChain,
  { to, data, value, gasLimit, ...rest }: Item & { chainSlug?: string; chainId?: number | string; chainType?: string },
): CheckedCall => {
  if (rest.chainSlug !== undefined) requireSame('chainSlug', rest.chainSlug, chain.slug);
  if (rest.chainType !== undefined) requireSame('chainType', rest.chainType, 'evm');
  if (rest.chainId !== undefined)
    requireSame('chainId', String(rest.chainId).replace(/^eip155:/, ''), String(chain.chainId));
  if (!/^0x([0-9a-f]{2})*$/.test(data)) throw differs('data', data, 'calldata in lower case');
  const gas = BigInt(gasLimit);
  if (gas < leastGas || gas > mostGas) throw differs('gasLimit', gas, `between ${leastGas} and ${mostGas}`);
  return {
    chain,
    to: lower(to),
    data: data as Hex,
    value: BigInt(value),
    gas,
    takesUsd: 0n,
    deadline: null,
    order: null,
  };
};

/** What any transaction costs, and more than any of ours takes. */
const [leastGas, mostGas] = [21_000n, 30_000_000n];

type LaunchpadCall = NonNullable<ReturnType<typeof decodeStrictly<typeof launchpadAbi>>>;

/** The Launchpad's calls in a transaction, those of a multicall one by one. */
export const launchpadCalls = ({ chain, to, data, value }: CheckedCall): LaunchpadCall[] => {
  requireSame('to', to, chain.launchpad);
  requireSame('value', value, 0n);
  const outer = readLaunchpad(data);
  return outer.functionName === 'multicall' ? outer.args[0].map(readLaunchpad) : [outer];
};

const readLaunchpad = (data: Hex): LaunchpadCall => {
  const call = decodeStrictly(launchpadAbi, data);
  if (call === null) throw differs('data', data.slice(0, 10), 'one call of the launchpad, encoded as usual');
  return call;
};

/** Holds an approval against the one that the buy needs: of the dollar token, to the Launchpad, exactly. */
export const checkApproval = ({ chain, to, data, value }: CheckedCall, neededUsd: bigint): void => {
  const call = decodeStrictly(erc20Abi, data);
  if (call?.functionName !== 'approve') throw differs('approval', data.slice(0, 10), 'approve(address,uint256)');
  const [spender, amount] = call.args;
  requireSame('approval.to', to, chain.usd);
  requireSame('approval.value', value, 0n);
  requireSame('approval.spender', lower(spender), chain.launchpad);
  requireSame('approval.amount', amount, neededUsd);
};

/** Holds `decoded` of the answer against our own reading of the bytes. */
export const checkDecoded = (calls: readonly LaunchpadCall[], decoded: readonly DecodedCall[], to: Hex): void => {
  requireSame('decoded.length', decoded.length, calls.length);
  calls.forEach((call, index) => {
    const said = decoded[index] as DecodedCall;
    requireSame(`decoded.${index}.function`, call.functionName, said.function);
    requireSame(`decoded.${index}.to`, to, said.to);
    const found = fieldsOf(call);
    const names = new Set([...Object.keys(found), ...Object.keys(said.args)]);
    for (const name of names) requireSame(`decoded.${index}.args.${name}`, found[name], said.args[name]);
  });
};

const fieldsOf = ({ args }: LaunchpadCall): Record<string, unknown> => {
  const [first, second] = args as readonly unknown[];
  const fields = Object.entries((first ?? {}) as object).map(([name, value]) => [name, plain(value)]);
  return Object.fromEntries(second === undefined ? fields : [...fields, ['signature', second]]);
};

const plain = (value: unknown): unknown =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value) ? lower(value) : value;
