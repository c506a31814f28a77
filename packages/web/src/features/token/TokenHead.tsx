import type { TokenAbout } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { chainName } from '../../lib/chainLooks.ts';
import { short } from '../../lib/format.ts';
import { mainAddress } from '../../lib/onChain.ts';
import { isNamed, nameOf, type Person as Somebody, userPath } from '../../lib/people.ts';
import { raisedOf } from '../../lib/raised.ts';
import { tokenCurve, tokenFacts } from '../../lib/tokenQueries.ts';
import * as t from '../../messages/en/token.ts';
import { Address, Copy } from '../../ui/Address.tsx';
import { Ago } from '../../ui/Ago.tsx';
import { TransactionLink } from '../../ui/ChainLink.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Avatar, Person } from '../../ui/Person.tsx';
import { ShareButton } from './ShareButton.tsx';
import { useOwner } from './useOwner.ts';
import { WatchButton } from './WatchButton.tsx';

/** Which token it is. */
export const TokenHead = ({ about }: { about: TokenAbout }) => {
  const { data: curve } = useQuery(tokenCurve(about.id));
  const { data: facts } = useQuery(tokenFacts(about.id));
  const raised = curve && raisedOf(curve);
  const isGraduated = about.graduated === true;
  const owner = useOwner(about.id);
  const home = about.origin_chain ?? '';
  const address = mainAddress(about);
  const created = facts?.created;
  const creation = created?.proofs.find((proof) => proof.kind === 'transaction');
  return (
    <div className="thead">
      <Coin
        picture={about.logo}
        symbol={about.symbol}
        size="l"
        isGraduated={isGraduated}
        {...(raised === undefined ? {} : { raised: raised.exactPercent })}
      />
      <div className="grow">
        <h1>
          <span className="name">{about.name}</span> <span className="symbol">{about.symbol}</span>
        </h1>
        <div className="meta">
          <span>
            <ChainMark slug={home} />
            {chainName(home)}
          </span>
          {isGraduated ? (
            <span className="tag" data-tone="up">
              {t.token.graduated}
            </span>
          ) : (
            raised !== undefined && (
              <span className="tag" data-tone="brand">
                {t.token.raised(raised.percent)}
              </span>
            )
          )}
          {about.unlisted !== undefined && (
            <span className="tag" title={about.unlisted.reason}>
              {t.token.unlisted}
            </span>
          )}
          {created?.value != null && (
            <span className="wide">
              {t.token.by} {owner !== null && <Creator owner={owner} />}
              {creation === undefined ? (
                <Address value={created.value.creator} />
              ) : (
                <TransactionLink
                  className="link mono"
                  chain={creation.chain}
                  hash={creation.hash}
                  title={created.value.creator}
                >
                  {short(created.value.creator)}
                </TransactionLink>
              )}
            </span>
          )}
          <span className="wide">
            <Ago at={about.created_at} /> {t.token.old}
          </span>
          {address !== null && (
            <span>
              <Address value={address} />
              <Copy text={address} label={t.copyAddress} />
            </span>
          )}
        </div>
      </div>
      <ShareButton about={about} />
      <WatchButton id={about.id} />
    </div>
  );
};

/** By name where there is one: the address is beside it. */
const Creator = ({ owner }: { owner: Somebody }) =>
  isNamed(owner) ? (
    <Person user={owner} />
  ) : (
    <Link href={userPath(owner)} aria-label={t.token.profileOf(nameOf(owner))}>
      <Avatar user={owner} />
    </Link>
  );
