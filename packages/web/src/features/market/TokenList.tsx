import type { TokenV2 } from '@mintage/sdk';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { type FocusEvent, type PointerEvent, useRef, useState } from 'react';
import { tokens } from '../../lib/queries.ts';
import { useIsHydrated } from '../../lib/useIsHydrated.ts';
import * as t from '../../messages/en/market.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Blocks, Empty } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { sparklines } from './queries.ts';
import { Row } from './Row.tsx';
import { useHeldOrder } from './useHeldOrder.ts';
import { useLooks } from './useLooks.ts';
import { changed, hrefOf, questionsOf, rowsOfPage, type View } from './view.ts';
import { useWatched } from './watched.ts';

/** How often the order and what is new are looked for, milliseconds; values come by the stream. */
const everyMs = 10_000;

interface Read {
  /** Undefined: not read yet. */
  tokens: TokenV2[] | undefined;
  hasMore: boolean;
  error: Error | null;
  again(): void;
}

/** The rows of a view; those that two pages have, because one moved meanwhile, once. */
const useRows = (view: View, watched: readonly string[], isKnown: boolean): Read => {
  const questions = isKnown ? questionsOf(view, watched) : [];
  const pages = useQueries({
    queries: questions.map((question, at) => ({ ...tokens(question), refetchInterval: at === 0 ? everyMs : false })),
  });
  const answers = pages.flatMap(({ data }) => data ?? []);
  const isRead = isKnown && answers.length === pages.length;
  const byId = new Map(answers.flatMap((answer) => answer.tokens).map((token) => [token.id, token]));
  return {
    tokens: isRead ? [...byId.values()] : undefined,
    hasMore: answers.at(-1)?.pagination.has_more ?? false,
    error: pages.find(({ error }) => error !== null)?.error ?? null,
    again: () => {
      for (const page of pages) void page.refetch();
    },
  };
};

const isMouse = ({ pointerType }: PointerEvent): boolean => pointerType === 'mouse';

/** Whether somebody is reading the list: the mouse is over it, or the focus in it. */
const useHeld = () => {
  const [isOver, setOver] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  return {
    isHeld: isOver || hasFocus,
    handlers: {
      onPointerMove: (event: PointerEvent) => isMouse(event) && setOver(true),
      onPointerLeave: () => setOver(false),
      onFocus: () => setFocus(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
        setFocus(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
    },
  };
};

export const TokenList = ({ view }: { view: View }) => {
  const watched = useWatched();
  // What this browser keeps is not known to the server.
  const isKnown = useIsHydrated() || !view.isWatched;
  const read = useRows(view, watched, isKnown);
  const { isHeld, handlers } = useHeld();
  const held = useHeldOrder(read.tokens, hrefOf(view), isHeld);
  const looks = useLooks(view.isWatched && isKnown ? held.tokens : null);
  const lines = useQuery({ ...sparklines(held.tokens.map(({ id }) => id)), placeholderData: keepPreviousData });
  const list = useRef<HTMLUListElement>(null);
  const isEmpty = read.tokens?.length === 0 && held.tokens.length === 0;
  const show = (): void => {
    held.show();
    list.current?.focus();
  };
  return (
    <>
      {read.error !== null && (
        <div className="pad">
          <Problem error={read.error} onRetry={read.again} />
        </div>
      )}
      <div {...handlers} aria-busy={read.tokens === undefined}>
        <div className="hold">
          {(held.fresh > 0 || held.isReordered) && (
            <button type="button" className="new" onClick={show}>
              {held.fresh > 0 ? t.market.fresh(held.fresh) : t.market.newOrder}
            </button>
          )}
        </div>
        {(held.tokens.length > 0 || (read.tokens === undefined && read.error === null)) && <Heads />}
        {held.tokens.length > 0 && (
          <ul ref={list} tabIndex={-1} aria-label={t.market.tokens}>
            {held.tokens.map((token) => (
              <Row
                key={token.id}
                token={token}
                line={lines.data?.[token.id]}
                isWatched={watched.includes(token.id)}
                look={looks[token.id]}
              />
            ))}
          </ul>
        )}
        {read.tokens === undefined && held.tokens.length === 0 && read.error === null && (
          <Blocks count={10} height={64} />
        )}
        {isEmpty && <Nothing view={view} />}
      </div>
      {!isKnown && (
        <noscript>
          <Empty>{t.market.needsScripts}</Empty>
        </noscript>
      )}
      {read.hasMore && (
        <div className="more">
          <ButtonLink href={changed(view, { rows: view.rows + rowsOfPage })}>{t.market.more}</ButtonLink>
        </div>
      )}
    </>
  );
};

/** Each row says the names of its values by itself. */
const Heads = () => (
  <div className="tape tape-head" aria-hidden="true">
    <span>{t.market.heads.token}</span>
    <span>{t.market.heads.day}</span>
    <span className="right">{t.market.heads.volume}</span>
    <span className="right">{t.market.heads.holders}</span>
    <span className="right">{t.market.heads.cap}</span>
    <span />
  </div>
);

const Nothing = ({ view }: { view: View }) => {
  if (view.isWatched && view.stage === null && view.chain === null && view.keyword === '')
    return <Empty act={<ButtonLink href="/">{t.market.showAll}</ButtonLink>}>{t.market.noneWatched}</Empty>;
  if (hrefOf({ ...view, order: null }) !== '/')
    return <Empty act={<ButtonLink href="/">{t.market.showAll}</ButtonLink>}>{t.market.none}</Empty>;
  return (
    <Empty
      act={
        <ButtonLink kind="ink" href="/create">
          {t.market.create}
        </ButtonLink>
      }
    >
      {t.market.nobody}
    </Empty>
  );
};
