/**
 * Deploys to a real chain, or checks what is there: `npm run deploy -w @mintage/contracts -- <slug> --rpc …`. The
 * deployer's private key comes from the environment (DEPLOYER_KEY) and never leaves this process.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type Chain,
  chainBySlug,
  chains,
  chainTypeOf,
  families,
  fixedWall,
  isV3,
  parseAnyAddress,
  type Slug,
  uniswapV3CodeHashes,
} from '@mintage/protocol';
import { type Address, formatEther, type Hex, isAddress, isHash } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type BridgeChain, committedDeployments, type DeployOptions, deploy } from './deploy.ts';
import { rehearsalOf } from './rehearsal.ts';
import type { DeployVenue } from './venue.ts';

export const usage = `Usage: DEPLOYER_KEY=0x… npm run deploy -w @mintage/contracts -- <slug> --rpc <url>
  --owner <address>           on a mainnet OpenZeppelin's TimelockController, 48 hours
  [--proposers <address,…>]   all who may propose to the owner; needed on a mainnet
  --treasury <address>
  --guardian <address>        who pauses the bridge's routes
  [--peers <slug,…>]          chains that tokens go to and come from; the owner opens later ones
  [--dvn <address>]           a verifier of your own, at this address on this chain and on every peer
  --voucher-signer <address>
  [--pool-factory <address>|none]  of Uniswap v3, where no list names it (abstract, zksync-testnet); none: nothing can be created
  [--pool-deployer <address>] default: the factory
  [--pool-code-hash <hash>]   default: that of Uniswap's own code for the chain
  [--usd <address>|test]      default: the chain's dollar token; test deploys one that anyone mints (test networks)
  [--dollar-holder <address>] an account with dollars, for the check of exact transfers
  [--out <file>]              default: packages/protocol/src/chains/deployments/<chainId>.json
  [--dry-run]                 on a copy of the chain on this machine: nothing is sent or written, the gas is told

Started again, it goes on where it stopped, and checks what is there.`;

interface Command {
  options: DeployOptions;
  /** The file that is written. */
  out: string;
  isDryRun: boolean;
}

const commandFrom = (words: string[], env: NodeJS.ProcessEnv): Command => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      rpc: { type: 'string' },
      owner: { type: 'string' },
      proposers: { type: 'string' },
      treasury: { type: 'string' },
      guardian: { type: 'string' },
      peers: { type: 'string' },
      dvn: { type: 'string' },
      'voucher-signer': { type: 'string' },
      usd: { type: 'string' },
      'pool-factory': { type: 'string' },
      'pool-deployer': { type: 'string' },
      'pool-code-hash': { type: 'string' },
      'dollar-holder': { type: 'string' },
      out: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const { dvn } = values;
  const own: Record<string, Address> = dvn === undefined ? {} : { own: addressOf('dvn', dvn) };
  const chain = withDvns(chainOf(positionals[0]), own);
  const peers = (values.peers?.split(',') ?? []).map((slug) => withDvns(chainOf(slug), own));
  const { rpc, usd, 'dollar-holder': dollarHolder } = values;
  if (rpc === undefined) throw new Error('--rpc is missing.');
  if (usd === 'test' && !chain.testnet)
    throw new Error(`${chain.slug} is no test network: it takes real dollars only.`);
  const options: DeployOptions = {
    rpcUrl: rpc,
    account: privateKeyToAccount(keyOf(env.DEPLOYER_KEY)),
    chain,
    bridge: { guardian: addressOf('guardian', values.guardian), peers },
    owner: addressOf('owner', values.owner),
    ...(chain.testnet
      ? {}
      : { proposers: values.proposers?.split(',').map((text) => addressOf('proposers', text)) ?? [] }),
    treasury: addressOf('treasury', values.treasury),
    voucherSigner: addressOf('voucher-signer', values['voucher-signer']),
    testPoolType: chain.testnet,
    ...venueFrom(chain, values),
    ...(usd === undefined ? {} : { usd: usd === 'test' ? usd : addressOf('usd', usd) }),
    ...(dollarHolder === undefined ? {} : { dollarHolder: addressOf('dollar-holder', dollarHolder) }),
  };
  const out = values.out ?? fileURLToPath(new URL(`${chain.chainId}.json`, committedDeployments));
  const dollar = parseAnyAddress(usd === undefined || usd === 'test' ? chain.dollarToken.address : usd);
  const wall = fixedWall(options.treasury.toLowerCase() as Address, dollar === null ? {} : { usd: dollar });
  if (wall !== null) throw new Error(`--treasury must not be ${wall}: what it earns would stay there.`);
  return { options, out, isDryRun: values['dry-run'] };
};

/** What it would do, and what it would cost, native coins as decimal text. */
const rehearse = async (options: DeployOptions) => {
  const { address } = options.account;
  const rehearsal = await rehearsalOf(options.rpcUrl, address);
  try {
    const deployment = await deploy({ ...options, rpcUrl: rehearsal.rpcUrl, pollMs: 100 });
    return { dryRun: { deployer: address, gasCost: formatEther(await rehearsal.paidBy(address)) }, ...deployment };
  } finally {
    await rehearsal.stop();
  }
};

const chainOf = (slug: string | undefined) => {
  const chain = chainBySlug(slug as Slug);
  if (!chain?.chainId)
    throw new Error(
      `Name one of ${chains
        .filter((one) => chainTypeOf(one) === 'evm')
        .map(({ slug }) => slug)
        .join(', ')}.`,
    );
  return chain;
};

type VenueWords = Partial<Record<'pool-factory' | 'pool-deployer' | 'pool-code-hash', string>>;

/**
 * The exchange that the operator names; nothing where the chain's own is taken. The deployment checks it by what it does.
 *
 * @throws Where no list names the chain's exchange and nobody else does: its address is part of the Launchpad for good.
 */
const venueFrom = (
  { slug, venue, family }: Pick<Chain, 'slug' | 'venue' | 'family'>,
  words: VenueWords,
): { venue?: DeployVenue } => {
  const { 'pool-factory': named, 'pool-deployer': deployer, 'pool-code-hash': hash } = words;
  if (named === undefined) {
    if (isV3(venue) && venue.exchange === null)
      throw new Error(`No list names the factory of ${slug}: give --pool-factory <address>, or none.`);
    return {};
  }
  if (!isV3(venue)) throw new Error(`${slug} is a chain with Uniswap v4: it takes no --pool-factory.`);
  const { kind } = venue;
  if (named === 'none') return { venue: { kind, exchange: null } };
  const factory = addressOf('pool-factory', named);
  const poolCodeHash =
    hash === undefined ? uniswapV3CodeHashes[families[family].machine === null ? 'evm' : 'era'] : hashOf(hash);
  return {
    venue: {
      kind,
      exchange: {
        factory,
        deployer: deployer === undefined ? factory : addressOf('pool-deployer', deployer),
        poolCodeHash,
        isEra: poolCodeHash.startsWith(eraVersion),
      },
    },
  };
};

/** Hashes of EraVM's code begin with its version, where those of the EVM begin with anything. */
const eraVersion = '0x0100';

const hashOf = (text: string): Hex => {
  if (!isHash(text)) throw new Error('--pool-code-hash must be 0x and 64 hex digits.');
  return text;
};

/** The same chain, with verifiers beside those that we know. */
const withDvns = <C extends BridgeChain>(chain: C, dvns: Readonly<Record<string, Address>>): C =>
  chain.layerZero === null
    ? chain
    : { ...chain, layerZero: { ...chain.layerZero, dvns: { ...chain.layerZero.dvns, ...dvns } } };

const addressOf = (name: string, text: string | undefined): Address => {
  if (text === undefined || !isAddress(text)) throw new Error(`--${name} must be an address, not ${text ?? 'absent'}.`);
  return text;
};

const keyOf = (text: string | undefined): Hex => {
  if (text === undefined || !/^0x[0-9a-fA-F]{64}$/.test(text))
    throw new Error('DEPLOYER_KEY must hold a private key: 0x and 64 hex digits.');
  return text as Hex;
};

/** Deploys, or rehearses it: `words` as `usage` has them. @returns What is on the chain then, for people to read. */
export const deployCommand = async (words: string[], env: NodeJS.ProcessEnv): Promise<object> => {
  const { options, out, isDryRun } = commandFrom(words, env);
  return isDryRun ? rehearse(options) : deploy({ ...options, out });
};

if (import.meta.main) {
  try {
    console.log(JSON.stringify(await deployCommand(process.argv.slice(2), process.env), null, 2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 1;
  }
}
