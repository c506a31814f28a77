import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useDeployment } from '../../lib/deployment.ts';
import { signOf } from '../../lib/exact.ts';
import { isJobDone, type Job } from '../../lib/jobs.ts';
import { keyOf } from '../../lib/onChain.ts';
import { account, fees as feesQuery } from '../../lib/ownQueries.ts';
import { chains as chainsQuery } from '../../lib/queries.ts';
import { ownKey, type SignedIn, useSession } from '../../lib/session.ts';
import { ElsewhereError, useJob } from '../../lib/useJob.ts';
import { useWallet } from '../../lib/wallet.ts';
import * as t from '../../messages/en/rewards.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Hero } from '../../ui/Hero.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { SignInLink } from '../../ui/SignInLink.tsx';
import { ByChain } from './ByChain.tsx';
import { Claimable } from './Claimable.tsx';
import { Claimed } from './Claimed.tsx';
import { type About, type ClaimRow, claimRows, newClaims } from './claims.ts';
import { History } from './History.tsx';
import { EnterCode, Invitation } from './Invitation.tsx';
import './rewards.css';
import { Vault } from './Vault.tsx';

export const Rewards = () => {
  const session = useSession();
  return (
    <>
      <Hero title={t.nav.rewards}>{t.rewards.text}</Hero>
      <div className="rewards">
        {session === null ? (
          <div>
            <section className="card">
              <Empty act={<SignInLink kind="ink">{t.nav.connect}</SignInLink>}>{t.rewards.signedOut}</Empty>
            </section>
            <Rules />
          </div>
        ) : (
          <Own session={session} />
        )}
      </div>
    </>
  );
};

const Own = ({ session }: { session: SignedIn }) => {
  const deployment = useDeployment();
  const client = useQueryClient();
  const wallet = useWallet();
  const { data: fees, error, refetch } = useQuery(feesQuery(true));
  const { data: own, error: unknownAccount } = useQuery(account(deployment, true));
  const { data: served } = useQuery(chainsQuery());
  const claims = useJob<About>('claims');
  const { job } = claims;
  const isBusy = !claims.isRead || claims.isRunning || (job !== null && !isJobDone(job));

  const embedded = new Set((own?.wallets ?? []).flatMap((one) => (one.embedded ? [keyOf(one.address)] : [])));
  const dollars = new Map((served?.chains ?? []).map(({ slug, dollarToken }) => [slug, dollarToken.address]));
  const rows = fees === undefined || own === undefined ? [] : stillThere(claimRows(fees, embedded, dollars), job);
  const mine = rows.filter((row) => row.isEmbedded || row.wallet === wallet?.address);

  const run = async (next?: readonly ClaimRow[], again = true): Promise<void> => {
    const before = fees?.summary.total_claimable_usd;
    await claims.run(next && newClaims(session.userId, next), again);
    // What was paid is in the index a block later.
    for (let looks = 0; looks < 10; looks += 1) {
      const { data } = await refetch();
      if (data?.summary.total_claimable_usd !== before) break;
      await new Promise((resolve) => setTimeout(resolve, 700));
    }
    await client.invalidateQueries({ queryKey: [ownKey] });
  };
  // What was sent is looked up by itself after a reload; what was done on an earlier visit is in the history.
  const isLooked = useRef(false);
  useEffect(() => {
    if (!claims.isRead || isLooked.current) return;
    if (job === null) {
      isLooked.current = true;
      return;
    }
    if (isJobDone(job) || job.userId !== session.userId) {
      isLooked.current = true;
      void claims.drop();
      return;
    }
    const sent = job.steps.find(({ status }) => status === 'sent');
    if (sent === undefined || (sent.wallet !== null && sent.wallet !== wallet?.address)) return;
    isLooked.current = true;
    void run(undefined, false);
  });

  const isNew = fees !== undefined && job === null && signOf(fees.summary.total_rewards_earned_usd) === 0;
  const network = deployment.network === 'Mainnet' ? 'mainnet' : 'testnet';
  const problem = error ?? unknownAccount;
  // All of it comes at once: a part that comes by itself pushes the others down.
  if ((fees === undefined || own === undefined) && problem === null)
    return (
      <div>
        <section className="card">
          <Blocks count={10} height={64} />
        </section>
      </div>
    );
  return (
    <>
      <div>
        {problem !== null && (
          <Problem error={problem} onRetry={() => void client.invalidateQueries({ queryKey: [ownKey] })} />
        )}
        {fees !== undefined && (
          <Claimable fees={fees} transactions={mine.length} isBusy={isBusy} onClaim={() => void run(mine)} />
        )}
        {claims.error !== null &&
          (claims.error instanceof ElsewhereError ? (
            <p className="note" role="alert">
              {t.money.elsewhere}
            </p>
          ) : (
            <Problem error={claims.error} />
          ))}
        {fees !== undefined && own !== undefined && !isNew && (
          <ByChain
            rows={rows}
            job={job}
            isRunning={claims.isRunning}
            address={wallet?.address ?? null}
            onClaim={(row) => void run([row])}
            onRetry={() => void run()}
            onDrop={() => void claims.drop()}
          />
        )}
        {isNew ? (
          <section className="card">
            <Empty act={<ButtonLink href="/create">{t.rewards.create}</ButtonLink>}>{t.rewards.nothingYet}</Empty>
          </section>
        ) : (
          <>
            <Claimed dollars={dollars} />
            <History dollars={dollars} />
          </>
        )}
      </div>
      <aside>
        {own !== undefined && (
          <>
            <Invitation referral={own.referral} joined={fees?.summary.total_traders_referred ?? 0} network={network} />
            <EnterCode referral={own.referral} network={network} />
          </>
        )}
        <Rules />
        <Vault />
      </aside>
    </>
  );
};

/** Without what was just claimed, as long as the service still lists it. */
const stillThere = (rows: readonly ClaimRow[], job: Job<About> | null): ClaimRow[] =>
  rows.filter(({ key, usd }) => {
    const isClaimed = job?.steps.some(({ name, status }) => name === key && status === 'done') ?? false;
    return !(isClaimed && job?.about.rows.some((row) => row.key === key && row.usd === usd));
  });

const Rules = () => (
  <details className="card pad">
    <summary className="lab">{t.rewards.rules}</summary>
    <div className="stack soft rules">
      {t.rewards.rulesText.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  </details>
);
