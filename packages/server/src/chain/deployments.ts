import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Deployment } from '@mintage/protocol';

/**
 * The deployment on a real chain: the operator's own in `folder`, else the one that came with the code.
 *
 * @throws When there is none, or when its file cannot be read.
 */
export const deploymentOf = (chainId: number, folder: string): Deployment => {
  const places = [join(folder, `${chainId}.json`), committedDeployment(chainId)];
  for (const place of places) {
    const deployment = readDeployment(place);
    if (deployment !== null) return deployment;
  }
  throw new Error(`No deployment on chain ${chainId}: neither ${places.join(' nor ')} exists.`);
};

const committedDeployment = (chainId: number): string =>
  fileURLToPath(import.meta.resolve(`@mintage/protocol/deployments/${chainId}.json`));

const readDeployment = (file: string): Deployment | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Deployment;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new Error(`${file} cannot be read as a deployment.`, { cause: error });
  }
};
