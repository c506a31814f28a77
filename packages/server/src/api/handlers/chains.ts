import { canGraduate, chainTypeOf, families } from '@mintage/protocol';
import { definitions } from '@mintage/protocol/operations';
import type { ChainContext } from '../../chain/chainContext.ts';
import { chainStates } from '../reads/chainStates.ts';
import { explorerUrlOf } from '../reads/explorerUrl.ts';
import { mintsDollars } from '../trade/mintsDollars.ts';
import { handler } from './handler.ts';

export const chains = handler(definitions.chains, async (context) => {
  const states = await chainStates(context);
  return {
    chains: states.map(({ served, status, head, indexed, lagMs, blocksPerSecond, historyFrom }) => {
      const { chain, deployment, publicRpcUrl, local } = served;
      return {
        slug: chain.slug,
        name: chain.name,
        chainId: chain.chainId ?? 0,
        eid: chain.eid,
        type: chainTypeOf(chain),
        testnet: chain.testnet,
        blockTimeMs: chain.blockTimeMs,
        nativeCurrency: { name: chain.nativeName, symbol: chain.nativeSymbol, decimals: chain.nativeDecimals },
        explorerUrl: explorerUrlOf(served),
        ...(publicRpcUrl === null ? {} : { rpcUrl: publicRpcUrl }),
        local,
        note: noteOf(served),
        dollarToken: {
          address: deployment.usd,
          symbol: deployment.usdSymbol,
          decimals: deployment.usdDecimals,
          mintable: mintsDollars(served),
        },
        venue: deployment.venue,
        canCreate: canGraduate(deployment),
        contracts: {
          launchpad: deployment.launchpad,
          poolHook: deployment.poolHook,
          tokenFactory: deployment.tokenFactory,
          poolManager: deployment.poolManager,
          poolFactory: deployment.exchange?.factory ?? null,
          lens: deployment.lens,
          tokenImplementation: deployment.tokenImplementation,
          tokenBridge: deployment.tokenBridge,
        },
        status,
        head,
        indexed,
        lagMs,
        blocksPerSecond,
        historyFrom: historyFrom?.toISOString() ?? null,
      };
    }),
  };
});

/** A note for local chains that differ from the real chain of that name. */
const noteOf = ({ chain, local }: ChainContext): string | null => {
  const { standIn, machine } = families[chain.family];
  if (!local || standIn === null) return null;
  if (machine === null) return null;
  return `${standIn} in place of ${chain.name}, which in reality runs the ${machine}.`;
};
