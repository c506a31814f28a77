import type { Calls, ChainSlug, CurveData, TokenAbout, TokenBooks } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/api.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { mainAddress, sameAddress } from '../../lib/onChain.ts';
import { chains } from '../../lib/queries.ts';
import { ofToken } from '../../lib/tokenQueries.ts';
import * as t from '../../messages/en/token.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Stamp } from '../../ui/Stamp.tsx';

interface Books {
  /** Dollars that the curve holds, decimal text. */
  held: string;
  /** Dollars that selling every token would bring, before fees. Null: a trade came between the two reads. */
  owed: string | null;
  block: number;
  isEnough: boolean;
}

/** The curve's money by the chain's logs, and what it owes by its own formula. */
const booksOf = (about: TokenAbout, chain: ChainSlug, decimals: number) =>
  read(
    [...ofToken(about.id), 'books'],
    async (api): Promise<Books | null> => {
      const address = mainAddress(about);
      const books = address === null ? null : await findBooks(api, chain, address);
      if (books === null) return null;
      const { data } = await api.getPoolData({ tokenId: about.id });
      const isSameMoment = data.curve.reserveUsdRaw === books.token.reserveUsdRaw;
      const owed = owedFor(data.curve);
      return {
        held: books.token.reserveUsd,
        owed: isSameMoment ? dollars(owed, decimals) : null,
        block: books.block,
        isEnough: books.isSolvent && (!isSameMoment || owed <= BigInt(books.token.reserveUsdRaw)),
      };
    },
    { staleTime: 20_000, refetchInterval: 30_000 },
  );

/** What the curve pays for all tokens that it sold, rounded down as it does. */
const owedFor = ({ virtualTokensRaw, virtualUsdRaw, soldTokensRaw }: CurveData): bigint => {
  const sold = BigInt(soldTokensRaw);
  return (BigInt(virtualUsdRaw) * sold) / (BigInt(virtualTokensRaw) + sold);
};

const dollars = (units: bigint, decimals: number): string => {
  const digits = units.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

const mostListed = 1_000;

/** The service lists tokens in order of creation. */
const findBooks = async (
  api: Calls,
  chainSlug: ChainSlug,
  address: string,
): Promise<{ token: TokenBooks; block: number; isSolvent: boolean } | null> => {
  for (let offset = 0; ; offset += mostListed) {
    const { chains: all } = await api.solvency({ chainSlug, limit: mostListed, offset });
    const books = all[0]?.books;
    if (books == null) return null;
    const token = books.tokens.find((one) => sameAddress(one.token, address));
    if (token !== undefined) return { token, block: books.blockNumber, isSolvent: books.solvent };
    if (books.tokens.length < mostListed) return null;
  }
};

/** That everybody can sell: what the curve holds against what it would owe. */
export const Solvency = ({ about }: { about: TokenAbout }) => {
  const { base } = useDeployment();
  const { data: served } = useQuery(chains());
  const home = served?.chains.find(({ slug }) => slug === about.origin_chain);
  const { data } = useQuery({
    ...booksOf(about, home?.slug ?? 'base', home?.dollarToken.decimals ?? 6),
    enabled: home !== undefined,
  });
  const symbol = home?.dollarToken.symbol ?? 'USD';
  return (
    <section className="card pad o4" aria-label={t.token.solvency}>
      <div className="row between">
        <Stamp isKnown={data?.isEnough === true} />
        <div className="grow">{data?.isEnough === false ? t.token.notSolvent : t.token.solvent}</div>
        <a className="link" href={`${base}/solvency`}>
          {t.token.check}
        </a>
      </div>
      <div className="muted small books">
        {data == null ? (
          t.token.readingBooks
        ) : (
          <>
            <Amount value={data.held} isFixed unit={symbol} /> {t.token.held},{' '}
            {data.owed !== null && (
              <>
                <Amount value={data.owed} isFixed /> {t.token.owed},{' '}
              </>
            )}
            {t.token.inBlock(data.block.toLocaleString('en-US'))}
          </>
        )}
      </div>
    </section>
  );
};
