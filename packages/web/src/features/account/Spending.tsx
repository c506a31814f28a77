import type { ListApiKeysAnswer } from '@mintage/sdk';
import { chainName } from '../../lib/chainLooks.ts';
import { decimal } from '../../lib/format.ts';
import * as t from '../../messages/en/account.ts';
import { Ago } from '../../ui/Ago.tsx';
import { Meter } from '../../ui/Meter.tsx';

type Key = ListApiKeysAnswer['keys'][number];

const dollars = (text: string): string => `$${decimal(text, 2, true)}`;

/** Percent of a day's cap, for a bar. */
const percentOf = (spent: string, cap: string): number =>
  Number(cap) === 0 ? 100 : (100 * Number(spent)) / Number(cap);

/** What a key or an application may spend, and what it spent today. */
export const Spending = ({ scopes, budget }: Pick<Key, 'scopes' | 'budget'>) => {
  if (!scopes.includes('execute')) return <div className="hint">{t.account.keys.spendsNothing}</div>;
  if (budget === null) return <div className="hint down">{t.account.keys.unlimited}</div>;
  const { perDayUsd, perTradeUsd, reservedTodayUsd, chains } = budget;
  return (
    <div className="spending">
      <div className="hint">
        {t.account.keys.today} <b>{dollars(reservedTodayUsd)}</b>{' '}
        {perDayUsd !== null && t.account.keys.of(dollars(perDayUsd))}
        {perTradeUsd !== null && <>, {t.account.keys.perTradeOf(dollars(perTradeUsd))}</>}
        {chains !== null && <>, {t.account.keys.onChains(chains.map(chainName).join(', '))}</>}
      </div>
      {perDayUsd !== null && <Meter label={t.account.keys.today} percent={percentOf(reservedTodayUsd, perDayUsd)} />}
    </div>
  );
};

const day = (time: string): string => new Date(time).toISOString().slice(0, 10);

/** What it may do, since when and until when. */
export const Uses = ({ scopes, lastUsedAt, expiresAt }: Pick<Key, 'scopes' | 'lastUsedAt' | 'expiresAt'>) => (
  <div className="hint">
    {scopes.map((scope) => t.account.scopes[scope]).join(', ')} ·{' '}
    {lastUsedAt === null ? (
      t.account.never
    ) : (
      <>
        {t.account.used} <Ago at={lastUsedAt} /> {t.account.ago}
      </>
    )}{' '}
    · {expiresAt === null ? t.account.endless : t.account.ends(day(expiresAt))}
  </div>
);
