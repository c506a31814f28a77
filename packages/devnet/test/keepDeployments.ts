import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes what was deployed on chains to where a service of this home looks for it. */
export const keepDeployments = (home: string, deployments: readonly { chainId: number }[]): void => {
  const folder = join(home, 'deployments');
  mkdirSync(folder, { recursive: true });
  for (const deployment of deployments)
    writeFileSync(join(folder, `${deployment.chainId}.json`), JSON.stringify(deployment));
};
