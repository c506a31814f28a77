import { MintageError } from '@mintage/sdk';
import { chainName } from '../../lib/chainLooks.ts';
import { short } from '../../lib/format.ts';
import { isAsked, isOver, type Job, type JobStep } from '../../lib/jobs.ts';
import * as t from '../../messages/en/create.ts';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Proof } from '../../ui/Proof.tsx';
import { type About, isCreated, metadataOf } from './creation.ts';

interface Line {
  key: string;
  title: string;
  hint: string;
  step?: JobStep | undefined;
  isDone: boolean;
  isNow: boolean;
}

/** What will happen, and what did: a step each, with what proves it. */
export const Steps = ({
  about,
  job,
  isRunning,
  isEmbedded,
  base,
}: {
  about: About;
  job: Job<About> | null;
  isRunning: boolean;
  isEmbedded: boolean;
  base: string;
}) => {
  const metadata = job === null ? null : metadataOf(job);
  const cid = metadata?.tokenUri.replace('ipfs://', '');
  const lines = linesOf(about, job, isEmbedded);
  const firstOpen = lines.find(({ isDone }) => !isDone)?.key;
  return (
    <section className="card pad" aria-label={t.create.steps}>
      <h2>{t.create.steps}</h2>
      <ol className="plan">
        {lines.map(({ key, title, hint, step, isDone }, at) => (
          <li
            key={key}
            data-done={isDone ? '' : undefined}
            data-now={!isDone && isRunning && key === firstOpen ? '' : undefined}
          >
            <i>{isDone ? <Icon name="check" /> : at + 1}</i>
            <div>
              <span className={isDone || key === firstOpen ? undefined : 'soft'}>{title}</span>
              <div className="hint">
                {step === undefined ? hint : (stateOf(step, isRunning && key === firstOpen) ?? hint)}
              </div>
              {step?.error !== undefined && !isRunning && (
                <Problem error={new MintageError(step.error.code, step.error.message)} />
              )}
            </div>
            {key === 'stored' && cid !== undefined && (
              <a className="link hint" href={`${base}/ipfs/${cid}`} target="_blank" rel="noopener">
                {short(cid)}
              </a>
            )}
            {isDone &&
              step !== undefined &&
              hashesOf(step).map((hash) => <Proof key={hash} chain={about.chain} hash={hash} />)}
          </li>
        ))}
      </ol>
    </section>
  );
};

const linesOf = (about: About, job: Job<About> | null, isEmbedded: boolean): Line[] => {
  const step = (name: string) => job?.steps.find((one) => one.name === name);
  const line = (key: string, title: string, hint: string): Line => {
    const of = step(key);
    return { key, title, hint, step: of, isDone: of?.status === 'done', isNow: of?.status === 'sent' };
  };
  const isAllDone = job?.steps.every(({ status }) => status === 'done') ?? false;
  const signs = isEmbedded ? t.create.byService : about.firstBuy === 'with' ? t.create.signsBuy : t.create.signs;
  const isStored = job !== null && metadataOf(job) !== null;
  return [
    {
      key: 'stored',
      title: t.create.stored,
      hint: t.create.storedHint,
      isDone: isStored || (job !== null && isCreated(job)),
      isNow: !isStored,
    },
    line('create', signs, t.create.creationOn(chainName(about.chain))),
    ...(about.firstBuy === 'after' ? [line('buy', t.create.buys(about.buyUsd), t.create.buysHint)] : []),
    ...(about.destinations.length > 0
      ? [line('announce', t.create.announces(about.destinations.map(chainName).join(', ')), t.create.announcesHint)]
      : []),
    { key: 'page', title: t.create.page, hint: t.create.pageHint, isDone: false, isNow: isAllDone },
  ];
};

/** Null: its hint says enough. */
const stateOf = (step: JobStep, isNow: boolean): string | null => {
  if (isOver(step)) return t.money.step.over;
  if (step.status === 'failed') return isNow ? t.money.step.now : t.money.step.failed;
  if (step.status === 'sent') return isNow && isAsked(step) ? t.money.step.sign : t.money.step.sent;
  if (isNow && step.name === 'buy' && step.prepared === undefined) return t.create.waiting;
  return null;
};

/** Of the transactions that did it. */
const hashesOf = ({ executed }: JobStep): string[] =>
  ((executed as { transactions?: { hash: string }[] } | undefined)?.transactions ?? [])
    .slice(-1)
    .map(({ hash }) => hash);
