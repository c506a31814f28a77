/**
 * A page with what a user holds, made by a server so that the key stays there:
 *
 *   MINTAGE_API_KEY=… npx node examples/portfolio-page.ts
 *
 * MINTAGE_URL       the service; http://127.0.0.1:8080 when not set
 * MINTAGE_API_KEY   of the user; `npm start` prints one
 * PORT              of the page; any free one when not set
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { apiKey, createReader, type GetUserPortfolioAnswer, MintageError } from '@mintage/sdk';

const client = createReader({
  baseUrl: process.env.MINTAGE_URL ?? 'http://127.0.0.1:8080',
  auth: apiKey(process.env.MINTAGE_API_KEY ?? ''),
});

/** Names and symbols are written by strangers. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);

const row = ({ name, symbol, chainBalances }: GetUserPortfolioAnswer['data']['tokens'][number]): string =>
  chainBalances
    .map(
      ({ chainSlug, balanceFormatted, valueUsd }) =>
        `<tr><td>${escaped(name)}</td><td>${chainSlug}</td><td>${balanceFormatted} ${escaped(symbol)}</td><td>$${valueUsd.toFixed(2)}</td></tr>`,
    )
    .join('\n');

const page = async (): Promise<string> => {
  const { data } = await client.getUserPortfolio();
  return `<!doctype html><title>Portfolio</title><table>
<tr><th>Token</th><th>Chain</th><th>Balance</th><th>Value at the last price</th></tr>
${data.tokens.map(row).join('\n')}
</table>`;
};

const server = createServer(async (_request, response) => {
  const headers = { 'content-type': 'text/html; charset=utf-8' };
  try {
    response.writeHead(200, headers).end(await page());
  } catch (error) {
    if (!(error instanceof MintageError)) throw error;
    response.writeHead(502, headers).end(`${escaped(error.message)} ${escaped(error.kind.next)}`);
  }
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
