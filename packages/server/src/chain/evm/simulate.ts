import { type Address, decodeRevert, MintageError, type RevertUnits, requireHex } from '@mintage/protocol';
import { pad } from 'viem';
import { areNear } from '../agreement.ts';
import type { Outcome, PreparedCall, SimulateOptions, TokenTransfer } from '../chainClient.ts';
import type { Node, Rpc } from '../rpc.ts';
import { RpcError } from '../wire.ts';
import { type SimulatedCall, simulate as simulateCalls } from './calls.ts';
import { type DollarTaker, explainShortage } from './dollarShortage.ts';

/**
 * Simulates the calls on top of a block and returns the outcome of the last. When an earlier one fails, its failure is
 * the outcome.
 *
 * @throws NETWORK_ERROR when no provider answers, or no two tell the same outcome.
 */
export const simulate = async (
  { rpc, deployment }: DollarTaker & { rpc: Pick<Rpc, 'agreed'> },
  wallet: Address,
  calls: readonly PreparedCall[],
  { blockNumber, units, before = [], aloneWillDo = false }: SimulateOptions,
): Promise<Outcome> => {
  const from = requireHex(wallet);
  const requests = [...before, ...calls].map(({ to, data, value = 0n }) => ({ from, to: requireHex(to), data, value }));
  const ask = async (node: Node): Promise<Outcome & { ok: boolean }> =>
    outcomeOf((await node.request(simulateCalls(requests, blockNumber))).slice(before.length), units);
  try {
    const { answer, answers } = await rpc.agreed(ask, { same: areAlike, aloneWillDo });
    const gasUsed = mostOf(answers.map((one) => one.gasUsed));
    const to = calls.at(-1)?.to ?? null;
    const failed = { wallet: from, to, blockNumber, before: [...before, ...calls.slice(0, -1)] };
    return answer.ok
      ? { ...answer, gasUsed }
      : { ok: false, gasUsed, error: await explainShortage({ rpc, deployment }, answer.error, failed) };
  } catch (error) {
    if (error instanceof RpcError && unknownMethod.has(error.code)) return { ok: null };
    throw error instanceof RpcError
      ? new MintageError('NETWORK_ERROR', 'The provider of this chain could not simulate the transaction.', {
          cause: error,
        })
      : error;
  }
};

const outcomeOf = (results: readonly SimulatedCall[], units: RevertUnits | undefined): Outcome & { ok: boolean } => {
  const failed = results.find((result) => BigInt(result.status) === 0n);
  const last = failed ?? results.at(-1);
  if (last === undefined) throw new MintageError('NETWORK_ERROR', 'The provider simulated nothing.');
  const gasUsed = BigInt(last.gasUsed);
  if (failed !== undefined) return { ok: false, gasUsed, error: decodeRevert(revertData(failed), units) };
  return { ok: true, gasUsed, transfers: last.logs.flatMap(transferOf) };
};

/**
 * Whether two outcomes agree: the same result at nearly the same amounts. Amounts may differ, because providers give
 * the simulated block different times, and in the opening window the fee depends on the time.
 */
const areAlike = (one: Outcome & { ok: boolean }, other: Outcome & { ok: boolean }): boolean =>
  endOf(one) === endOf(other) && areNear(one.gasUsed, other.gasUsed);

const endOf = (outcome: Outcome): string => (outcome.ok === false ? outcome.error.code : String(outcome.ok));

const mostOf = (figures: readonly bigint[]): bigint => figures.reduce((most, one) => (one > most ? one : most), 0n);

/** JSON-RPC: method not found, method not supported. */
const unknownMethod = new Set([-32601, -32004]);

const revertData = ({ returnData, error }: SimulatedCall): `0x${string}` => {
  if (returnData !== undefined && returnData.length > 2) return returnData;
  return typeof error?.data === 'string' && error.data.startsWith('0x') ? (error.data as `0x${string}`) : '0x';
};

/** keccak256('Transfer(address,address,uint256)') */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** `0x` and 32 bytes. */
const wordLength = 66;

const transferOf = (log: SimulatedCall['logs'][number]): TokenTransfer[] => {
  const [topic, from, to, ...more] = log.topics;
  // A collectible's Transfer has the same topic, its id as a fourth one, and no data.
  if (topic !== transferTopic || from === undefined || to === undefined) return [];
  if (more.length > 0 || log.data.length !== wordLength) return [];
  return [
    {
      asset: log.address.toLowerCase() as Address,
      from: addressIn(from),
      to: addressIn(to),
      amount: BigInt(log.data),
    },
  ];
};

const addressIn = (topic: `0x${string}`): Address => `0x${pad(topic, { size: 32 }).slice(26).toLowerCase()}`;
