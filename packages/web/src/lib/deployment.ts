import { createContext, useContext } from 'react';
import type { Deployment } from '../../build/rendering.ts';

export type { Deployment };

export const DeploymentContext = createContext<Deployment | null>(null);

export const useDeployment = (): Deployment => {
  const deployment = useContext(DeploymentContext);
  if (deployment === null) throw new Error('There is no deployment around this component.');
  return deployment;
};
