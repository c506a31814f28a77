import { MintageError } from '@mintage/sdk';
import { chainName } from '../../lib/chainLooks.ts';
import { decimal, short } from '../../lib/format.ts';
import { isAsked, isOver, type Job, type JobStep } from '../../lib/jobs.ts';
import * as t from '../../messages/en/rewards.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Discard } from '../../ui/Discard.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Money } from '../../ui/Money.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Proof } from '../../ui/Proof.tsx';
import type { About, ClaimRow } from './claims.ts';

/** Every claim is one transaction on one chain, by the wallet that has it; one that fails is tried again alone. */
export const ByChain = ({
  rows,
  job,
  isRunning,
  address,
  onClaim,
  onRetry,
  onDrop,
}: {
  rows: readonly ClaimRow[];
  job: Job<About> | null;
  isRunning: boolean;
  /** Of the connected wallet, as `keyOf`. */
  address: string | null;
  onClaim(row: ClaimRow): void;
  onRetry(): void;
  onDrop(): void;
}) => {
  const begun = job?.about.rows ?? [];
  const stepOf = ({ key }: ClaimRow) => job?.steps.find(({ name }) => name === key);
  const isPast = ({ key }: ClaimRow) => begun.some((one) => one.key === key && stepOf(one)?.status !== 'done');
  const lines = [
    ...begun.map((row) => ({ row, step: stepOf(row) })),
    ...rows.filter((row) => !isPast(row)).map((row) => ({ row, step: undefined })),
  ];
  const current = job?.steps.find(({ status }) => status !== 'done')?.name;
  return (
    <section className="card" aria-label={t.rewards.byChain}>
      <div className="head">
        <h2>{t.rewards.byChain}</h2>
        <span className="hint">{t.rewards.each}</span>
      </div>
      {lines.length === 0 ? (
        <Empty>{t.rewards.noRows}</Empty>
      ) : (
        <ul>
          {lines.map(({ row, step }) => (
            <li key={`${row.key} ${step === undefined ? 'open' : 'begun'}`} className="claim">
              <div className="row">
                <ChainMark slug={row.chain} />
                <div>
                  <b>{chainName(row.chain)}</b>
                  <div className="hint">{row.isEmbedded ? t.money.embeddedWallet : short(row.wallet)}</div>
                </div>
              </div>
              <div className="right">
                <b>
                  <Money value={row.usd} />
                </b>
                <div className="hint">{amountsOf(row)}</div>
              </div>
              <div className="right act">
                {step === undefined ? (
                  row.isEmbedded || row.wallet === address ? (
                    <Button
                      size="s"
                      disabled={isRunning || (job !== null && current !== undefined)}
                      aria-label={t.rewards.claimOn(amountsOf(row), chainName(row.chain))}
                      onClick={() => onClaim(row)}
                    >
                      {t.rewards.claim}
                    </Button>
                  ) : (
                    <ButtonLink size="s" href="/account?next=/rewards">
                      {t.rewards.connectFirst(short(row.wallet))}
                    </ButtonLink>
                  )
                ) : (
                  <State step={step} isNow={isRunning && step.name === current} />
                )}
              </div>
              {step?.error !== undefined && !isRunning && (
                <div className="whole">
                  <Problem error={new MintageError(step.error.code, step.error.message)} />
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {job !== null && current !== undefined && (
        <div className="row pad claim-again">
          {!isRunning && !job.steps.some(isOver) && <Button onClick={onRetry}>{t.money.goOn}</Button>}
          <Discard steps={job.steps} onDiscard={onDrop} />
        </div>
      )}
    </section>
  );
};

const State = ({ step, isNow }: { step: JobStep; isNow: boolean }) => {
  const { states } = t.rewards;
  const text = isOver(step)
    ? states.over
    : step.status === 'done'
      ? states.done
      : isNow
        ? isAsked(step)
          ? t.money.step.sign
          : states.now
        : step.status === 'failed'
          ? states.failed
          : step.status === 'sent'
            ? states.now
            : states.open;
  const hash = (step.executed as { transactions?: { hash: string }[] } | undefined)?.transactions?.at(-1)?.hash;
  const [chain = ''] = step.name.split(' ');
  return (
    <span
      className="row state"
      role="status"
      data-tone={step.status === 'done' ? 'up' : step.status === 'failed' ? 'down' : undefined}
    >
      {text}
      {hash !== undefined && step.status === 'done' && <Proof chain={chain} hash={hash} />}
    </span>
  );
};

const amountsOf = ({ parts }: ClaimRow): string =>
  parts.map(({ amount, symbol, isDollar }) => `${decimal(amount, isDollar ? 2 : 4)} ${symbol}`).join(' + ');
