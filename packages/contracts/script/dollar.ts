import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, type PublicClient, parseAbi } from 'viem';
import { creationCodeOf } from './artifact.ts';

const tokenAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function symbol() view returns (string)',
  'function balanceOf(address) view returns (uint256)',
]);
const checkAbi = parseAbi(['function check(address token, address recipient, bool mint) returns (uint256)']);

/** An account without code, balance or meaning: the recipient of the check. */
const recipient: Address = '0xd011a7c4ec000000000000000000000000000001';

export interface Dollar {
  symbol: string;
  decimals: number;
}

/**
 * Reads the dollar token, and proves on the chain's present state that it moves exactly the amounts it is told to move.
 *
 * @param holders - Accounts that may hold dollars; the first that does is the sender of the check, inside an `eth_call`.
 * @param mintable - Anyone mints: no holder is needed.
 * @throws When the token is none, has fewer than 6 or more than 18 decimals, keeps a part, or no holder has any.
 */
export const checkDollarToken = async (
  client: PublicClient,
  token: Address,
  holders: readonly Address[],
  mintable: boolean,
): Promise<Dollar> => {
  const dollar = await readDollar(client, token);
  if (dollar.decimals < 6 || dollar.decimals > 18)
    throw new Error(`The dollar token ${token} has ${dollar.decimals} decimals; 6 to 18 can be used.`);

  const holder = mintable ? recipient.replace(/1$/, '2') : await holderAmong(client, token, holders);
  const moved = await moveAll(client, token, holder as Address, mintable);
  if (moved === 0n) throw new Error(`The check of the dollar token ${token} moved nothing.`);
  return dollar;
};

const readDollar = async (client: PublicClient, token: Address): Promise<Dollar> => {
  const read = { address: token, abi: tokenAbi } as const;
  try {
    const [decimals, symbol] = await Promise.all([
      client.readContract({ ...read, functionName: 'decimals' }),
      client.readContract({ ...read, functionName: 'symbol' }),
    ]);
    return { decimals, symbol };
  } catch (cause) {
    throw new Error(`The dollar token ${token} does not answer decimals() and symbol() on this chain.`, { cause });
  }
};

const holderAmong = async (client: PublicClient, token: Address, holders: readonly Address[]): Promise<Address> => {
  for (const holder of holders) {
    const balance = await client.readContract({
      address: token,
      abi: tokenAbi,
      functionName: 'balanceOf',
      args: [holder],
    });
    if (balance > 1n) return holder;
  }
  throw new Error(
    `None of ${holders.join(', ')} holds dollars of ${token}, so exact transfers cannot be checked: name an account that does.`,
  );
};

/** Puts DollarCheck in the holder's place for one call, and lets it move everything it has. */
const moveAll = async (client: PublicClient, token: Address, holder: Address, mint: boolean): Promise<bigint> => {
  const { data: code } = await client.call({ data: creationCodeOf('DollarCheck') });
  const data = encodeFunctionData({ abi: checkAbi, functionName: 'check', args: [token, recipient, mint] });
  let result: Hex;
  try {
    result = await client.request({
      method: 'eth_call',
      params: [{ to: holder, data }, 'latest', { [holder]: { code } }] as never,
    });
  } catch (cause) {
    throw new Error(`The dollar token ${token} does not move exact amounts; it cannot be used.`, { cause });
  }
  return decodeFunctionResult({ abi: checkAbi, functionName: 'check', data: result });
};
