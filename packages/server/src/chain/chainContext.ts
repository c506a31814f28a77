import type { Chain, Deployment } from '@mintage/protocol';
import type { ChainClient } from './chainClient.ts';
import type { Pulse } from './pulse.ts';

/** A served chain as the API uses it. */
export interface ChainContext {
  chain: Chain;
  deployment: Deployment;
  client: ChainClient;
  /** Pulse of the newest indexed block: answers from the index are as old as it is. */
  indexPulse: Pulse;
  /** Pulse of the newest block that was read from the chain itself. */
  headPulse: Pulse;
  /** Provider that GET /chains may show; null where it is not public. */
  publicRpcUrl: string | null;
  /** True for a chain that this service runs itself. */
  local: boolean;
}
