import type { GetReferralCodeAnswer } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useDeployment } from '../../lib/deployment.ts';
import { keepInvitation, useInvitation, useJoining } from '../../lib/invitation.ts';
import { useSession } from '../../lib/session.ts';
import * as t from '../../messages/en/join.ts';
import { Address } from '../../ui/Address.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Blocks } from '../../ui/Empty.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { SignInLink } from '../../ui/SignInLink.tsx';
import { Stamp } from '../../ui/Stamp.tsx';
import { invitation, shares } from './queries.ts';
import './join.css';

/** Who invites, what both get, and one button. @param noSuch - What is shown where there is no such code. */
export const Join = ({ code, noSuch }: { code: string; noSuch: ReactNode }) => {
  const { data, error, refetch } = useQuery(invitation(code));
  if (error !== null) return <Problem error={error} onRetry={refetch} />;
  if (data === undefined) return <Blocks count={4} height={64} />;
  return data === null ? noSuch : <Invitation known={data} />;
};

const Invitation = ({ known }: { known: GetReferralCodeAnswer }) => {
  const { base, network: ofDeployment } = useDeployment();
  const network = ofDeployment === 'Mainnet' ? 'mainnet' : 'testnet';
  const here = known.networks.find((one) => one.network === network) ?? known.networks[0];
  return (
    <div className="join">
      <h1>{t.join.title(known.referral_code)}</h1>
      <section className="card pad stack" aria-label={t.join.invitation}>
        <p className="who-invites">
          {here?.owner_address == null ? (
            t.join.somebody
          ) : (
            <>
              <Address value={here.owner_address} /> {t.join.invites}
            </>
          )}
        </p>
        <dl className="gives">
          <div>
            <dt>{t.join.youGet}</dt>
            <dd>
              <b className="big">{shares.cashbackOfFee}</b>
              <span>{t.join.youGetText(shares.cashback, shares.cashbackOfFee)}</span>
            </dd>
          </div>
          <div>
            <dt>{t.join.theyGet}</dt>
            <dd>
              <b className="big">{shares.referrerOfFee}</b>
              <span>{t.join.theyGetText(shares.referrer, shares.referrerOfFee)}</span>
            </dd>
          </div>
        </dl>
        <p className="row proof">
          <Stamp />
          <span>
            {t.join.proof}{' '}
            <a className="link" href={`${base}/docs/guides/how-the-money-flows`}>
              {t.join.howMoneyFlows}
            </a>
          </span>
        </p>
        {here?.active === true && here.network === network ? (
          <Enter code={known.referral_code} network={network} />
        ) : (
          <p className="note">
            <Icon name="info" />
            {t.join.inactive}
          </p>
        )}
      </section>
    </div>
  );
};

const Enter = ({ code, network }: { code: string; network: 'mainnet' | 'testnet' }) => {
  const session = useSession();
  const kept = useInvitation();
  const joining = useJoining();
  const keep = (): void => keepInvitation({ code, network });
  if (joining?.state === 'entered' && joining.code === code)
    return (
      <ButtonLink kind="ink" size="l" href="/">
        {t.join.toMarket}
      </ButtonLink>
    );
  if (session === null)
    return (
      <>
        <SignInLink kind="ink" size="l" onClick={keep}>
          {t.join.signIn}
        </SignInLink>
        <p className="hint center">{kept?.code === code ? t.join.kept(code) : t.join.once}</p>
      </>
    );
  const isEntering = joining?.state === 'entering' && joining.code === code;
  return (
    <>
      <Button kind="ink" size="l" onClick={keep} disabled={isEntering}>
        {isEntering ? t.join.entering : t.join.enter}
      </Button>
      <p className="hint center">{t.join.once}</p>
    </>
  );
};
