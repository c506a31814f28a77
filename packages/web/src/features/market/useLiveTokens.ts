import type { GetTokensV2Answer } from '@mintage/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLive } from '../../lib/live.ts';
import { isOf, withActivity } from './withTrade.ts';

const everyList = { queryKey: ['tokens'] };

/** Lists are read again once nothing was unclear for this long, milliseconds. */
const settledMs = 1_000;

/** One stream of everything keeps the values of all lists as the chain has them. */
export const useLiveTokens = (): void => {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const readAgain = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void client.invalidateQueries(everyList), settledMs);
  };
  const hasBegun = useRef(false);
  useLive({ topic: 'tokenActivity' }, (item) => {
    if (item.type === 'begin') {
      // What was read before the first beginning is as new as the page.
      if (hasBegun.current) readAgain();
      hasBegun.current = true;
      return;
    }
    // What did not happen is not counted back: the lists are read as they are.
    if (item.type === 'retract') return readAgain();
    const { data: activity } = item;
    let isKnown = false;
    client.setQueriesData<GetTokensV2Answer>(everyList, (answer) => {
      if (!answer?.tokens.some((token) => isOf(token, activity))) return answer;
      isKnown = true;
      return {
        ...answer,
        tokens: answer.tokens.map((token) => (isOf(token, activity) ? withActivity(token, activity) : token)),
      };
    });
    // A token that no list has yet, or one that belongs into another list now.
    if (!isKnown || activity.activity_type === 'lifecycle') readAgain();
  });
};
