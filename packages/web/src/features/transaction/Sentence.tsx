import { tokenDecimalsOn } from '@mintage/protocol';
import type { ChainSlug, ServedChain, TransactionEvent } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { unitsToText } from '../../lib/format.ts';
import { tokenAbout } from '../../lib/tokenQueries.ts';
import * as t from '../../messages/en/transaction.ts';
import { Address } from '../../ui/Address.tsx';
import { Amount } from '../../ui/Amount.tsx';

type Dollar = ServedChain['dollarToken'] | null;

/** What an event says, with amounts, where it is one that people ask about. */
export const Sentence = ({ event, chain, dollar }: { event: TransactionEvent; chain: ChainSlug; dollar: Dollar }) => {
  const { args } = event;
  if (event.event === 'Transfer' && (event.contract === 'token' || event.contract === 'dollar token')) {
    const isDollar = event.contract === 'dollar token';
    return (
      <p>
        {isDollar ? (
          <Dollars units={args.amount ?? args.value} dollar={dollar} />
        ) : (
          <Tokens chain={chain} units={args.amount ?? args.value} token={event.token_id ?? event.address} />
        )}{' '}
        {t.tx.fromTo} <Address value={text(args.from)} /> {t.tx.toWhom} <Address value={text(args.to)} />
        {units(args.amount ?? args.value) === 0n && <span className="hint"> {t.tx.nothingMoved}</span>}
      </p>
    );
  }
  if (event.event === 'Trade' && event.contract === 'launchpad') {
    const { isSell, token, tokens, grossUsd, feeBps } = tradeIn(args);
    return (
      <p>
        <b className={isSell ? 'down' : 'up'}>{isSell ? t.token.sell : t.token.buy}</b>:{' '}
        <Tokens chain={chain} units={tokens} token={token} /> {t.tx.for} <Dollars units={grossUsd} dollar={dollar} />,{' '}
        {t.tx.fee1} {Number(feeBps) / 100} %
      </p>
    );
  }
  if (event.event === 'TokenCreated' && event.contract === 'launchpad')
    return (
      <p>
        <Link className="link" href={`/token/${text(args.token ?? args.mint)}`}>
          {text(args.name)}
        </Link>{' '}
        {text(args.symbol)} {t.token.by} <Address value={text(args.creator)} />
      </p>
    );
  return null;
};

/** An EVM chain signs the tokens of a trade; a program of Solana says its kind, of which the two buys come first. */
const tradeIn = (args: TransactionEvent['args']) => {
  if (args.mint !== undefined) {
    const { mint, kind, tokens, grossUsd, feeBps } = args;
    return { isSell: units(kind) >= 2n, token: text(mint), tokens, grossUsd, feeBps };
  }
  const tokens = units(args['record.tokens']);
  return {
    isSell: tokens < 0n,
    token: text(args.token),
    tokens: String(tokens < 0n ? -tokens : tokens),
    grossUsd: args['record.grossUsd'],
    feeBps: args['record.feeBps'],
  };
};

const text = (value: string | boolean | string[] | undefined): string => String(value ?? '');

const units = (value: string | boolean | string[] | undefined): bigint =>
  /^-?\d+$/.test(text(value)) ? BigInt(text(value)) : 0n;

const Dollars = ({ units: given, dollar }: { units: string | boolean | string[] | undefined; dollar: Dollar }) => (
  <Amount value={unitsToText(units(given), dollar?.decimals ?? 6)} places={6} unit={dollar?.symbol ?? 'USD'} />
);

/** By the name that the token has here. */
const Tokens = ({
  chain,
  units: given,
  token,
}: {
  chain: ChainSlug;
  units: string | boolean | string[] | undefined;
  token: string;
}) => {
  const { data } = useQuery(tokenAbout(token));
  return (
    <>
      <Amount value={unitsToText(units(given), tokenDecimalsOn(chain))} places={6} />{' '}
      {data === undefined ? (
        t.token.tokens
      ) : (
        <Link className="link" href={`/token/${data.slug}`}>
          {data.symbol}
        </Link>
      )}
    </>
  );
};
