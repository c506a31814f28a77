import type { Calls, QuoteState, ServedChain, Sparkline, TokenAbout, TokenStats } from '@mintage/sdk';
import { plain } from '../../lib/plain.ts';

/** What a framed page shows of a token. */
export interface EmbedMarket {
  about: Pick<TokenAbout, 'id' | 'name' | 'symbol' | 'slug' | 'logo' | 'graduated' | 'origin_chain'>;
  stats: Pick<TokenStats, 'price_usd' | 'market_cap_usd'>;
  /** The last day's prices; null: not known. */
  line: Pick<Sparkline, 'closes' | 'change_24h_pct'> | null;
  /** By which any amount is priced; null: not asked for, or its chain is away. */
  trade: { state: QuoteState; dollar: Pick<ServedChain['dollarToken'], 'address' | 'symbol'> } | null;
}

type Asked = Pick<Calls, 'getTokenAbout' | 'getTokenStats' | 'getSparklines' | 'quoteToken' | 'chains'>;

/**
 * Reads what a framed page shows. What a token is called, and its chain's dollar, never change: they are read once.
 *
 * @param before - What was read last.
 * @throws MintageError TOKEN_NOT_FOUND, and what the calls do.
 */
export const readMarket = async (
  api: Asked,
  reference: string,
  isTraded: boolean,
  before?: EmbedMarket,
): Promise<EmbedMarket> => {
  const about = before?.about.graduated === true ? before.about : await aboutOf(api, reference);
  const { id, origin_chain: chain } = about;
  const [{ stats }, { sparklines }, trade] = await Promise.all([
    api.getTokenStats({ token_id: id }),
    api.getSparklines({ token_ids: [id] }),
    isTraded && chain !== null ? tradeOf(api, { id, chain, before: before?.trade ?? null }) : null,
  ]);
  // One for each chain, of which the home has the price.
  const home = stats.find(({ chain: slug }) => slug === chain) ?? stats[0];
  const [line] = sparklines;
  return {
    about,
    stats: { price_usd: home?.price_usd ?? null, market_cap_usd: home?.market_cap_usd ?? null },
    line: line === undefined ? null : { closes: line.closes, change_24h_pct: line.change_24h_pct },
    trade,
  };
};

const aboutOf = async (api: Asked, reference: string): Promise<EmbedMarket['about']> => {
  const { token } = await api.getTokenAbout({ token_id: reference });
  const { id, name, symbol, slug, logo, graduated, origin_chain } = token;
  return plain({ id, name, symbol, slug, logo, graduated, origin_chain });
};

const tradeOf = async (
  api: Asked,
  { id, chain, before }: { id: string; chain: ServedChain['slug']; before: EmbedMarket['trade'] },
): Promise<EmbedMarket['trade']> => {
  const dollar = before?.dollar ?? (await dollarOf(api, chain));
  if (dollar === null) return null;
  // A price may be missing for now, as while a chain is away: the rest is shown all the same.
  const answer = await api
    .quoteToken({ tokenId: id, chainSlug: chain, direction: 'buy', inputToken: 'usdc', amount: 1 })
    .catch(() => null);
  return answer === null ? null : { state: answer.data.state, dollar };
};

const dollarOf = async (api: Asked, chain: ServedChain['slug']) => {
  const { chains } = await api.chains({});
  const found = chains.find(({ slug }) => slug === chain)?.dollarToken;
  return found === undefined ? null : { address: found.address, symbol: found.symbol };
};
