import { type Address, type PublicClient, parseAbi } from 'viem';

/** Least seconds between the announcement of an owner's act and the act, on chains where money is real. */
export const ownerDelaySeconds = 48n * 3600n;

/**
 * Checks that a production owner acts slowly: a contract that answers `getMinDelay()` as OpenZeppelin's
 * TimelockController does.
 *
 * @throws When it is a plain account, no timelock, or one of less than 48 hours.
 */
export const requireTimelock = async (client: PublicClient, owner: Address): Promise<void> => {
  const abi = parseAbi(['function getMinDelay() view returns (uint256)']);
  const delay = await client.readContract({ address: owner, abi, functionName: 'getMinDelay' }).catch((cause) => {
    throw new Error(`The owner ${owner} is no timelock: it does not answer getMinDelay().`, { cause });
  });
  if (delay < ownerDelaySeconds)
    throw new Error(
      `The owner ${owner} waits ${delay} seconds; on a mainnet it has to be ${ownerDelaySeconds} or more.`,
    );
};
