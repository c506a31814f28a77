import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Address, type Chain, type Deployment, parseAddress } from '@mintage/protocol';

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
  let written: Deployment;
  try {
    written = (JSON.parse(readFileSync(file, 'utf8')) ?? {}) as Deployment;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read as a deployment.`, { cause: error });
  }
  if (written.chainId !== chain.chainId)
    throw new Error(
      `${file} is the deployment of chain ${written.chainId}, and ${chain.slug} is chain ${chain.chainId}.`,
    );
  const addressOf = (key: AddressKey): Address => {
    const address = parseAddress(String(written[key]), chain);
    if (address === null) throw new Error(`${file} has no address of ${chain.slug} as ${key}.`);
    return address;
  };
  const addressOrNull = (key: AddressKey): Address | null => (written[key] === null ? null : addressOf(key));
  return {
    ...written,
    launchpad: addressOf('launchpad'),
    poolHook: addressOf('poolHook'),
    tokenFactory: addressOf('tokenFactory'),
    lens: addressOf('lens'),
    tokenImplementation: addressOf('tokenImplementation'),
    tokenBridge: addressOrNull('tokenBridge'),
    layerZeroEndpoint: addressOrNull('layerZeroEndpoint'),
    usd: addressOf('usd'),
    venue: written.venue ?? null,
    poolManager: addressOrNull('poolManager'),
    exchange: written.exchange ?? null,
    create3Factory: addressOf('create3Factory'),
    owner: addressOf('owner'),
  };
};

/** The fields that hold an address. */
type AddressKey = { [Key in keyof Deployment]: Address extends Deployment[Key] ? Key : never }[keyof Deployment];
