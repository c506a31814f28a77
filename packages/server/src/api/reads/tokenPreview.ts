import { chainByEid, formatUnits, moneyRaisedDown, wholePercentRaised } from '@mintage/protocol';
import type { ChainContext } from '../../chain/chainContext.ts';
import { decimalsOf } from '../../chain/servedChain.ts';
import type { PreviewFacts } from '../media/preview.ts';
import type { PreviewSource } from '../media/previews.ts';
import type { Reading } from '../tokens/reading.ts';
import type { KnownToken } from '../tokens/tokenRef.ts';
import { marketCap18 } from '../wire/decimals.ts';
import { curveNow } from './curveNow.ts';

/** What the picture of a link to a token shows, and where the token's own picture is. */
export const tokenPreview = ({ config, chains }: Reading, token: KnownToken): PreviewSource => {
  const served = chains.get(chainByEid(token.eid)?.slug ?? '') as ChainContext;
  return {
    facts: {
      name: token.name,
      symbol: token.symbol,
      chainName: served.chain.name,
      marketCap: dollars(marketCap18(token.price_usd18)),
      ...progressOf(token, served),
      platformName: config.platformName,
      brandColor: config.brandColor,
    },
    picture: /\/ipfs\/([0-9A-Za-z]+)$/.exec(token.logo ?? '')?.[1] ?? null,
  };
};

type Progress = Pick<PreviewFacts, 'raised' | 'graduated' | 'progress'>;

const progressOf = (token: KnownToken, served: ChainContext): Progress => {
  if (token.graduated_at !== null) return { raised: 1, graduated: true, progress: 'Graduated, liquidity locked' };
  const curve = curveNow(token, served);
  if (curve === null) return { raised: null, graduated: false, progress: '' };
  const money = moneyRaisedDown(curve.poolType, decimalsOf(served), curve.soldTokens);
  return {
    raised: Number((money.raisedUsd * 10_000n) / money.targetUsd) / 10_000,
    graduated: false,
    progress: `${wholePercentRaised(money)}\u00a0% raised`,
  };
};

const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
const small = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const large = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumSignificantDigits: 4,
});

/** An amount of 18 decimals as people read it: cents below 1,000 dollars, words from 100 million. */
const dollars = (usd18: bigint): string => {
  const format = usd18 < 10n ** 21n ? small : usd18 < 10n ** 26n ? whole : large;
  return format.format(formatUnits(usd18, 18) as `${number}`);
};
