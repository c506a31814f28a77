import type { JobStep } from '../lib/jobs.ts';
import * as t from '../messages/en/common.ts';
import { Button } from './Button.tsx';

/** The way out of steps that this browser keeps, and what it means for what the wallet was asked. */
export const Discard = ({ steps, onDiscard }: { steps: readonly JobStep[]; onDiscard(): void }) => {
  const sent = steps.filter(({ status }) => status === 'sent');
  const meaning = sent.some((step) => step.sent.some(({ hash }) => hash === null))
    ? t.discardAsked
    : sent.length > 0
      ? t.discardSent
      : t.discardOpen;
  return (
    <>
      <p className="hint">{meaning}</p>
      <Button kind="bare" onClick={onDiscard}>
        {t.discard}
      </Button>
    </>
  );
};
