import type { VoteAnswer, VoteCount, VoteInput } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { compact } from '../../lib/format.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { signedIn } from './signedIn.ts';

/** For and against, with what those hold who voted; the same vote again takes it back. */
export const Votes = ({
  target,
  votes,
  symbol,
  label,
  onVoted,
}: {
  target: Pick<VoteInput, 'target_type' | 'target_id'>;
  votes: VoteCount;
  /** Of the token whose holdings weigh the votes; null: nothing weighs them. */
  symbol: string | null;
  label: string;
  onVoted(votes: VoteCount): void;
}) => {
  const client = useQueryClient();
  const act = useAct();
  const [told, setTold] = useState('');
  const vote = async (way: 'upvote' | 'downvote'): Promise<void> => {
    if (act.doing !== null || !(await signedIn())) return;
    const wanted = votes.user_vote === way ? 'none' : way;
    await act.run(t.loading, async () => {
      const answer = await apiOf(client).vote({ ...target, vote: wanted });
      onVoted(answer.votes);
      setTold(wordsOf(wanted, answer, symbol));
    });
  };
  const isWeighed =
    symbol !== null && [votes.weighted_upvotes, votes.weighted_downvotes].some((one) => /[1-9]/.test(one));
  return (
    <>
      <div className="votes" role="group" aria-label={label}>
        <Button
          size="s"
          aria-pressed={votes.user_vote === 'upvote'}
          aria-label={t.votes.up(votes.upvotes)}
          disabled={act.doing !== null}
          onClick={() => void vote('upvote')}
        >
          <Icon name="arrowUp" />
          {compact(votes.upvotes)}
        </Button>
        <Button
          size="s"
          aria-pressed={votes.user_vote === 'downvote'}
          aria-label={t.votes.down(votes.downvotes)}
          disabled={act.doing !== null}
          onClick={() => void vote('downvote')}
        >
          <Icon name="arrowDown" />
          {compact(votes.downvotes)}
        </Button>
        {isWeighed && (
          <span className="muted small" title={t.votes.weightTitle}>
            {t.votes.weight(compact(votes.weighted_upvotes), compact(votes.weighted_downvotes), symbol)}
          </span>
        )}
        <span className="sr" role="status">
          {told}
        </span>
      </div>
      {act.error !== null && <Problem error={act.error} />}
    </>
  );
};

const wordsOf = (wanted: VoteInput['vote'], { weight }: VoteAnswer, symbol: string | null): string => {
  if (wanted === 'none') return t.votes.taken;
  return symbol === null || !/[1-9]/.test(weight) ? t.votes.counted : t.votes.yours(compact(weight), symbol);
};
