import type { ReactNode } from 'react';
import { Link } from 'wouter';
import * as t from '../../messages/en/rewards.ts';
import { Ago } from '../../ui/Ago.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Proof } from '../../ui/Proof.tsx';
import { Credit } from './Credit.tsx';

export interface Payment {
  id: string;
  at: string;
  chain: string;
  what: ReactNode;
  /** What it is for; null: for no token. Undefined in all of them: they are not for tokens. */
  token?: { slug: string; symbol: string } | null;
  /** Whole units of the currency. */
  amount: string;
  /** Of the currency; null: dollars. */
  symbol: string | null;
  hash: string;
}

/** What was paid, each with the transaction that paid it. */
export const Payments = ({ what, rows }: { what: string; rows: readonly Payment[] }) => {
  const hasTokens = rows.some(({ token }) => token !== undefined);
  return (
    <table className="data history">
      <thead>
        <tr>
          <th scope="col">{t.rewards.heads.when}</th>
          <th scope="col">{what}</th>
          {hasTokens && (
            <th scope="col" className="wide">
              {t.rewards.heads.token}
            </th>
          )}
          <th scope="col" className="right">
            {t.rewards.heads.amount}
          </th>
          <th scope="col" className="right">
            <span className="sr">{t.rewards.heads.proof}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, at, chain, what: words, token, amount, symbol, hash }) => (
          <tr key={id}>
            <td className="soft">
              <Ago at={at} />
            </td>
            <td>
              <span className="row">
                <ChainMark slug={chain} />
                {words}
              </span>
            </td>
            {hasTokens && (
              <td className="wide">
                {token && (
                  <Link className="link" href={`/token/${token.slug}`}>
                    {token.symbol}
                  </Link>
                )}
              </td>
            )}
            <td className="right">
              <Credit amount={amount} symbol={symbol} />
            </td>
            <td className="right">
              <Proof chain={chain} hash={hash} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
