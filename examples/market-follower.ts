/**
 * Follows a token's trades as they happen, through lost connections and reorgs, beside a copy of all its activity:
 *
 *   npx node examples/market-follower.ts paper-boat
 *
 * MINTAGE_URL   the service; http://127.0.0.1:8080 when not set
 */
import { createClient, createCopy, type StreamData } from '@mintage/sdk';

type Activity = StreamData<'tokenActivity'>;

const [tokenId = 'paper-boat'] = process.argv.slice(2);
const client = createClient({ baseUrl: process.env.MINTAGE_URL ?? 'http://127.0.0.1:8080' });

/** What happened so far, page by page. */
const activities = async (): Promise<Activity[]> => {
  const all: Activity[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = await client.getTokenActivity({ token_id: tokenId, limit: 100, offset });
    all.push(...page.activities);
    if (page.activities.length < 100) return all;
  }
};

/** Its rows are those of the service at any moment, whatever was lost or taken back on the way. */
const copy = createCopy('tokenActivity', activities);
const trades = (): number => [...copy.rows.values()].filter(({ activity_type }) => activity_type === 'trade').length;

const line = ({ activity_subtype, token_amount, usd_amount, price_usd, wallet }: Activity): string =>
  `${wallet} ${activity_subtype} ${token_amount} for $${usd_amount} at $${price_usd}`;

// A cut connection is no end: the stream connects again and goes on after the last item.
for await (const item of client.stream({ topic: 'tokenActivity', tokenId })) {
  await copy.apply(item);
  if (item.type === 'begin') console.log(`Following, with ${trades()} trades so far`);
  else if (item.data.activity_type === 'trade')
    console.log(`${item.type === 'event' ? '' : 'did not happen: '}${line(item.data)}; ${trades()} trades`);
}
