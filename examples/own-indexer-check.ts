/**
 * Checks the service against the chain, with no other trust than in an RPC address: adds up a token's transfers from its first
 * block on, and compares the balances with the holders that the service lists. Exits 1 when one base unit differs.
 *
 *   npx node examples/own-indexer-check.ts paper-boat
 *
 * MINTAGE_URL   the service; http://127.0.0.1:8080 when not set
 * RPC_URL       of the token's chain; when not set the one that the service names, which proves less
 */
import { createReader } from '@mintage/sdk';
import { type Address, createPublicClient, http, isAddressEqual, parseAbiItem, zeroAddress } from 'viem';

const [tokenId = 'paper-boat'] = process.argv.slice(2);
const client = createReader({ baseUrl: process.env.MINTAGE_URL ?? 'http://127.0.0.1:8080' });

const { token } = await client.getTokenAbout({ token_id: tokenId });
const { chains } = await client.chains();
const chain = chains.find(({ slug }) => slug === token.origin_chain);
const rpcUrl = process.env.RPC_URL ?? chain?.rpcUrl;
if (chain === undefined || rpcUrl === undefined)
  throw new Error('Set RPC_URL: the service names no provider of its chain.');

const address = token.primary_evm_address as Address;
const rpc = createPublicClient({ transport: http(rpcUrl) });
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');

/** Balances in base units, from the chain alone. */
const balancesAt = async (toBlock: bigint): Promise<Map<string, bigint>> => {
  const balances = new Map<string, bigint>();
  const add = (wallet: Address, amount: bigint): void => {
    const key = wallet.toLowerCase();
    balances.set(key, (balances.get(key) ?? 0n) + amount);
  };
  for (let from = 0n; from <= toBlock; from += 10_000n) {
    const to = from + 9_999n < toBlock ? from + 9_999n : toBlock;
    const logs = await rpc.getLogs({ address, event: transfer, fromBlock: from, toBlock: to, strict: true });
    for (const { args } of logs) {
      add(args.from, -args.value);
      add(args.to, args.value);
    }
  }
  return balances;
};

/** As the service lists them: without what the contracts hold, and wallets that hold nothing. */
const holders = async (): Promise<Map<string, bigint>> => {
  const listed = new Map<string, bigint>();
  for (let offset = 0; ; offset += 100) {
    const page = await client.getTokenHolders({ token_id: token.id, limit: 100, offset });
    for (const { wallet, chain: on, balance_raw } of page.holders) {
      if (on === chain.slug) listed.set(wallet.toLowerCase(), BigInt(balance_raw));
    }
    if (page.holders.length < 100) return listed;
  }
};

const listed = await holders();
const real = await balancesAt(await rpc.getBlockNumber());
const { launchpad, tokenBridge, poolManager } = chain.contracts;
const ours = [zeroAddress, address, launchpad, tokenBridge, poolManager].filter((one) => one !== null);
const differing = [...new Set([...listed.keys(), ...real.keys()])].filter((wallet) => {
  const isOurs = ours.some((one) => isAddressEqual(one as Address, wallet as Address));
  return !isOurs && (listed.get(wallet) ?? 0n) !== (real.get(wallet) ?? 0n);
});

for (const wallet of differing)
  console.log(`${wallet}: listed ${listed.get(wallet) ?? 0n}, real ${real.get(wallet) ?? 0n}`);
console.log(`${token.name}: ${listed.size} holders, ${differing.length} differ`);
process.exitCode = differing.length === 0 ? 0 : 1;
