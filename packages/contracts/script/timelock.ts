import {
  type Address,
  getAddress,
  type Hex,
  keccak256,
  type Log,
  type PublicClient,
  parseAbi,
  parseEventLogs,
  stringToHex,
  zeroHash,
} from 'viem';
import { firstBlockWithCode } from './firstBlock.ts';

/** Least seconds between the announcement of an owner's act and the act, on chains where money is real. */
export const ownerDelaySeconds = 48n * 3600n;

/**
 * keccak256 of the runtime code of OpenZeppelin's TimelockController, which has no immutables: what the build in
 * `@openzeppelin/contracts` of this version deploys. Other code may answer the same questions and act at once.
 */
const knownCode: ReadonlyMap<Hex, string> = new Map([
  ['0xcb66aa9640184eea13a020076f7fd1f3f6afdcdc502d4ce96ec07f1af437bf74', '5.7.0'],
]);

const timelockAbi = parseAbi([
  'function getMinDelay() view returns (uint256)',
  'event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender)',
  'event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender)',
  'event CallScheduled(bytes32 indexed id, uint256 indexed index, address target, uint256 value, bytes data, bytes32 predecessor, uint256 delay)',
  'function isOperationPending(bytes32 id) view returns (bool)',
]);

const roles = {
  admin: zeroHash,
  proposer: keccak256(stringToHex('PROPOSER_ROLE')),
  canceller: keccak256(stringToHex('CANCELLER_ROLE')),
  executor: keccak256(stringToHex('EXECUTOR_ROLE')),
};

/**
 * Checks that a production owner acts slowly, and for nobody but those whom the operator names: OpenZeppelin's
 * TimelockController by its code, 48 hours or more, administered by itself alone, with exactly these proposers, and
 * nothing pending: what was announced while the delay was shorter, or before this deployment, could be done at once.
 *
 * @throws What of it is not so.
 */
export const requireTimelock = async (
  client: PublicClient,
  owner: Address,
  proposers: readonly Address[],
): Promise<void> => {
  const code = await client.getCode({ address: owner });
  if (code === undefined) throw new Error(`The owner ${owner} is no timelock: it has no code.`);
  if (!knownCode.has(keccak256(code)))
    throw new Error(
      `The owner ${owner} is no timelock that we know: its code is not that of OpenZeppelin's TimelockController ${[...knownCode.values()].join(', ')}.`,
    );
  const delay = await client.readContract({ address: owner, abi: timelockAbi, functionName: 'getMinDelay' });
  if (delay < ownerDelaySeconds)
    throw new Error(
      `The owner ${owner} waits ${delay} seconds; on a mainnet it has to be ${ownerDelaySeconds} or more.`,
    );

  const logs = await logsOfLife(client, owner);
  const holders = roleHolders(logs);
  const of = (role: Hex): Address[] => [...(holders.get(role) ?? [])].toSorted();
  const admins = of(roles.admin).filter((account) => account !== getAddress(owner));
  if (admins.length > 0)
    throw new Error(`The timelock ${owner} is not its only admin: ${named(admins)} has to renounce that role.`);
  const expected = [...new Set(proposers.map((account) => getAddress(account)))].toSorted();
  if (expected.length === 0 || named(of(roles.proposer)) !== named(expected))
    throw new Error(
      `The timelock ${owner} takes proposals of ${named(of(roles.proposer))}, but ${named(expected)} was named.`,
    );
  for (const role of ['canceller', 'executor'] as const)
    if (of(roles[role]).length === 0) throw new Error(`The timelock ${owner} has no ${role}.`);
  const pending = await pendingOperation(client, owner, logs);
  if (pending !== null)
    throw new Error(
      `The timelock ${owner} has the operation ${pending} pending, announced before there was anything to watch it for: execute or cancel it first.`,
    );
};

/** The contract has no lists: what it holds is read from the events of its whole life. */
const logsOfLife = async (client: PublicClient, timelock: Address): Promise<Log[]> => {
  const from = BigInt(await firstBlockWithCode(client, timelock));
  return logsBetween(client, timelock, from, await client.getBlockNumber({ cacheTime: 0 }));
};

/** Who has which role. */
const roleHolders = (logs: Log[]): Map<Hex, Set<Address>> => {
  const holders = new Map<Hex, Set<Address>>();
  const eventNames = ['RoleGranted', 'RoleRevoked'] as const;
  for (const { eventName, args } of parseEventLogs({ abi: timelockAbi, eventName: [...eventNames], logs })) {
    const accounts = holders.get(args.role) ?? new Set();
    holders.set(args.role, accounts);
    if (eventName === 'RoleGranted') accounts.add(args.account);
    else accounts.delete(args.account);
  }
  return holders;
};

/** The first operation that was announced and neither executed nor cancelled; null without one. */
const pendingOperation = async (client: PublicClient, timelock: Address, logs: Log[]): Promise<Hex | null> => {
  const scheduled = parseEventLogs({ abi: timelockAbi, eventName: 'CallScheduled', logs }).map(({ args }) => args.id);
  for (const id of new Set(scheduled)) {
    const call = { address: timelock, abi: timelockAbi, functionName: 'isOperationPending', args: [id] } as const;
    if (await client.readContract(call)) return id;
  }
  return null;
};

/** In halves where a provider takes fewer blocks at once. */
const logsBetween = async (
  client: PublicClient,
  address: Address,
  fromBlock: bigint,
  toBlock: bigint,
): ReturnType<PublicClient['getLogs']> => {
  try {
    return await client.getLogs({ address, fromBlock, toBlock });
  } catch (error) {
    if (fromBlock >= toBlock) throw error;
    const middle = (fromBlock + toBlock) / 2n;
    const first = await logsBetween(client, address, fromBlock, middle);
    return [...first, ...(await logsBetween(client, address, middle + 1n, toBlock))];
  }
};

const named = (accounts: readonly Address[]): string => accounts.join(', ') || 'nobody';
