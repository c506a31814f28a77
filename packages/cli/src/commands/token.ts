import { read } from '../command/read.ts';
import { addressOf } from '../output/addressOf.ts';
import { facts } from '../output/table.ts';
import { ago, dollars, short } from '../output/words.ts';

export const token = read({
  operation: 'getTokenAbout',
  words: { token: 'token_id' },
  async show({ token: about }, shell) {
    const { stats } = await shell.anonymous().getTokenStats({ token_id: about.id });
    const on = (chain: string) => (stats.length > 1 ? chain : '');
    return facts([
      ['Name', about.name],
      ['Symbol', about.symbol],
      ['Id', about.id],
      ['Slug', about.slug],
      ['Address', addressOf(about)],
      ['Home', about.origin_chain],
      ['Created', ago(about.created_at)],
      ['Stage', about.graduated ? `graduated ${ago(about.graduated_at) ?? ''}` : 'on the curve'],
      ...stats.flatMap((one) => [
        ['Price', dollars(one.price_usd), on(one.chain)] as const,
        ['Market cap', dollars(one.market_cap_usd), on(one.chain)] as const,
        ['Volume 24 h', dollars(one.volume_usd_24h), on(one.chain)] as const,
        ['Holders', one.holder_count, on(one.chain)] as const,
        ['Sold', `${short(one.launchpad_progress_pct, 2) ?? '–'} %`, on(one.chain)] as const,
      ]),
      ['Chains', about.registered_chains.map(({ chain }) => chain).join(', ')],
      ['About', about.description],
    ]);
  },
  follows: ({ token_id }) => ({ topic: 'tokenActivity', tokenId: String(token_id) }),
});
