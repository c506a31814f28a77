import type { GetUserFeesAnswer } from '@mintage/sdk';
import type { CSSProperties } from 'react';
import { signOf } from '../../lib/exact.ts';
import * as t from '../../messages/en/rewards.ts';
import { Button } from '../../ui/Button.tsx';
import { Money } from '../../ui/Money.tsx';

/** The role of a source in colours: as in every split of a fee. */
const roles: Readonly<Record<string, string>> = {
  ip_holder: 'creator',
  token_referral: 'referral',
  protocol_referral: 'referral',
  protocol_referral_cashback: 'cashback',
  builder: 'builder',
};
const color = (type: string) => ({ '--c': `var(--fee-${roles[type] ?? 'treasury'})` }) as CSSProperties;

/** The one number, and of what it all came about. */
export const Claimable = ({
  fees: { summary, sources },
  transactions,
  isBusy,
  onClaim,
}: {
  fees: Pick<GetUserFeesAnswer, 'summary' | 'sources'>;
  /** How many a claim of everything takes now. */
  transactions: number;
  isBusy: boolean;
  onClaim(): void;
}) => {
  const paid = sources.filter(({ earned_usd }) => signOf(earned_usd) > 0);
  return (
    <section className="card pad">
      <div className="row between claimable">
        <div>
          <div className="muted">{t.rewards.claimable}</div>
          <div className="big">
            <Money value={summary.total_claimable_usd} />
          </div>
          <div className="hint">
            <Money value={summary.total_rewards_earned_usd} /> {t.rewards.earnedSoFar}
          </div>
        </div>
        {transactions > 0 && (
          <Button kind="ink" className="claim-all" disabled={isBusy} onClick={onClaim}>
            {t.rewards.claimAll(transactions)}
          </Button>
        )}
      </div>
      {paid.length > 0 && (
        <>
          <div className="split" data-size="l" role="img" aria-label={t.rewards.split}>
            {paid.map(({ fee_type, earned_usd }) => (
              <i key={fee_type} style={{ ...color(fee_type), '--w': Number(earned_usd) } as CSSProperties} />
            ))}
          </div>
          <dl className="sources">
            {paid.map(({ fee_type, earned_usd, credits }) => (
              <div key={fee_type}>
                <dt>
                  <i style={color(fee_type)} />
                  {t.rewards.sources[fee_type] ?? t.rewards.sources.unknown}
                </dt>
                <dd>
                  <Money value={earned_usd} />
                  <small>{t.rewards.credits(credits)}</small>
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
};
