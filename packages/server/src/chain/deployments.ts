import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Address,
  type Base58,
  type Chain,
  chainTypeOf,
  type Deployment,
  PoolVenue,
  parseAddress,
  parseBase58Address,
  solanaDeployment,
} from '@mintage/protocol';
import { z } from 'zod';

type DeployedChain = Pick<Chain, 'slug' | 'family' | 'chainId'>;

/**
 * The deployment on a real chain: the operator's own in `folder`, else the one that came with the code.
 *
 * @throws When there is none, or when its file cannot be read.
 */
export const deploymentOf = (chain: DeployedChain, folder: string): Deployment => {
  const name = chain.chainId ?? chain.slug;
  const places = [join(folder, `${name}.json`), committedDeployment(`${name}.json`)];
  for (const place of places) {
    const deployment = readDeployment(place, chain);
    if (deployment !== null) return deployment;
  }
  throw new Error(`No deployment on chain ${name}: neither ${places.join(' nor ')} exists.`);
};

const committedDeployment = (file: string): string =>
  fileURLToPath(import.meta.resolve(`@mintage/protocol/deployments/${file}`));

const readDeployment = (file: string, chain: DeployedChain): Deployment | null => {
  let written: unknown;
  try {
    written = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read as a deployment.`, { cause: error });
  }
  const { data, error } = deploymentFile(chain).safeParse(written);
  if (error)
    throw new Error(
      `${file} is no deployment on ${chain.slug}; deploy again, which sends nothing that stands already:\n${z.prettifyError(error)}`,
    );
  return data;
};

/** What a file must hold, addresses in any form that its chain knows. */
const deploymentFile = (chain: DeployedChain): z.ZodType<Deployment> =>
  chainTypeOf(chain) === 'solana' ? solanaFile : evmFile(chain);

const key = z.string().transform((text, context): Base58 => {
  const parsed = parseBase58Address(text);
  if (parsed === null) context.addIssue('is no address of Solana');
  return (parsed as Base58 | null) ?? z.NEVER;
});

/** One program is all of its contracts. */
const solanaFile: z.ZodType<Deployment> = z
  .strictObject({
    startBlock: z.int().nonnegative(),
    launchpad: key,
    usd: key,
    usdDecimals: z.literal(6),
    usdSymbol: z.string().min(1),
    usdMintable: z.boolean(),
    owner: key,
  })
  .transform(solanaDeployment);

const evmFile = (chain: DeployedChain): z.ZodType<Deployment> => {
  const address = z.string().transform((text, context): Address => {
    const parsed = parseAddress(text, chain);
    if (parsed === null) context.addIssue(`is no address of ${chain.slug}`);
    return parsed ?? z.NEVER;
  });
  const exchange = z.strictObject({
    factory: hexOf(20),
    deployer: hexOf(20),
    poolCodeHash: hexOf(32),
    isEra: z.boolean(),
  });
  return z
    .object({
      chainId: z.literal(chain.chainId, {
        error: ({ input }) => `is ${input}, and ${chain.slug} is chain ${chain.chainId}`,
      }),
      startBlock: z.int().nonnegative(),
      launchpad: address,
      poolHook: address,
      tokenFactory: address,
      lens: address,
      tokenImplementation: address,
      tokenBridge: address.nullable(),
      layerZeroEndpoint: address.nullable(),
      usd: address,
      usdDecimals: z.literal([6, 18]),
      usdSymbol: z.string().min(1),
      usdMintable: z.boolean(),
      venue: PoolVenue.nullable(),
      poolManager: address.nullable(),
      exchange: exchange.nullable(),
      create3Factory: address,
      owner: address,
      codeHashes: z.record(z.string(), hexOf(32)),
    })
    .refine(({ venue, poolManager }) => poolManager === null || venue === 'uniswap_v4', {
      path: ['poolManager'],
      error: 'belongs to Uniswap v4 alone',
    })
    .refine(({ venue, exchange }) => exchange === null || (venue !== null && venue !== 'uniswap_v4'), {
      path: ['exchange'],
      error: 'belongs to a venue of the form of Uniswap v3',
    });
};

const hexOf = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`), `is not ${bytes} bytes in hex`)
    .transform((text) => text.toLowerCase() as `0x${string}`);
