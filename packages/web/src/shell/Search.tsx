import type { TokenV2 } from '@mintage/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { chainName } from '../lib/chainLooks.ts';
import { useDeployment } from '../lib/deployment.ts';
import { tokens } from '../lib/queries.ts';
import { stored } from '../lib/storage.ts';
import * as t from '../messages/en/common.ts';
import { Dollars } from '../ui/Amount.tsx';
import { Coin } from '../ui/Coin.tsx';
import { ChainMark } from '../ui/chains.tsx';
import { Icon } from '../ui/icons.tsx';

/** Pause after the last key before it is asked, milliseconds. */
const pauseMs = 150;

/** What was typed, once nobody has typed for a moment. */
const useSettled = (typed: string): string => {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
};

/**
 * Searches for a token, by the pattern of a combobox: arrows go through what is found, Enter opens it or lists all, Escape closes.
 * Without scripts the form leads to the list.
 *
 * @param isMain - The one that the key `/` goes to.
 */
export const Search = ({ isMain = false, onDone }: { isMain?: boolean; onDone?: () => void }) => {
  const { base } = useDeployment();
  const [, go] = useLocation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const wanted = useSettled(typed.trim());
  const { data } = useQuery({
    ...tokens({ keyword: wanted.slice(0, 128), order_by: 'holders', limit: 6 }),
    enabled: isOpen && wanted !== '',
    placeholderData: keepPreviousData,
  });
  useSlashKey(input, isMain);

  const found = wanted === '' || typed.trim() === '' ? [] : (data?.tokens ?? []);
  const isShown = isOpen && typed.trim() !== '' && data !== undefined;
  const chosen = isShown && at >= 0 ? found[at] : undefined;
  const close = (): void => {
    setOpen(false);
    setAt(-1);
  };
  const leaveTo = (href: string): void => {
    close();
    input.current?.blur();
    go(href);
    onDone?.();
  };
  const openToken = (token: TokenV2): void => {
    setTyped('');
    leaveTo(`/token/${token.slug}`);
  };
  const search = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen !== undefined) return openToken(chosen);
    const text = typed.trim();
    leaveTo(text === '' ? '/' : `/?q=${encodeURIComponent(text)}`);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || found.length === 0) return;
    event.preventDefault();
    setOpen(true);
    // From the field to the first or the last, and from those back to the field.
    setAt(((at + 1 + step + found.length + 1) % (found.length + 1)) - 1);
  };
  return (
    <form className="search" role="search" action={`${base}/`} onSubmit={search}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        name="q"
        placeholder={t.search.placeholder}
        autoComplete="off"
        maxLength={128}
        aria-label={t.search.label}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={isShown ? `${id}-list` : undefined}
        aria-autocomplete="list"
        aria-activedescendant={chosen === undefined ? undefined : `${id}-${at}`}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setOpen(true);
          setAt(-1);
        }}
        onFocus={() => setOpen(true)}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <kbd aria-hidden="true">/</kbd>
      {isShown && (
        // A press must not take the focus out of the field before it is a click.
        <div className="found-list" onMouseDown={(event) => event.preventDefault()}>
          {found.length === 0 ? (
            <p className="muted none">{t.search.none}</p>
          ) : (
            <div role="listbox" id={`${id}-list`} aria-label={t.search.found}>
              {found.map((token, place) => (
                <Option
                  key={token.id}
                  id={`${id}-${place}`}
                  token={token}
                  isChosen={place === at}
                  onChoose={() => openToken(token)}
                />
              ))}
            </div>
          )}
          <button type="submit" className="all" tabIndex={-1}>
            {t.search.all(typed.trim())}
          </button>
        </div>
      )}
    </form>
  );
};

const Option = ({
  id,
  token,
  isChosen,
  onChoose,
}: {
  id: string;
  token: TokenV2;
  isChosen: boolean;
  onChoose(): void;
}) => {
  const chain = token.token_addresses[0]?.chain ?? '';
  return (
    // Keys are taken by the field, which keeps the focus.
    <div id={id} role="option" aria-selected={isChosen} className="option" onClick={onChoose}>
      <Coin picture={token.logo} symbol={token.symbol} size="s" />
      <span className="grow clip">
        <b>{token.name}</b> <span className="muted">{token.symbol}</span>
      </span>
      <ChainMark slug={chain} />
      <span className="sr">{chainName(chain)}</span>
      <span className="soft">
        <Dollars value={token.market_cap} />
      </span>
    </div>
  );
};

const useSlashKey = (input: { current: HTMLInputElement | null }, isMain: boolean): void =>
  useEffect(() => {
    if (!isMain) return;
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (
        event.key !== '/' ||
        stored<boolean>('keys') === false ||
        event.ctrlKey ||
        event.metaKey ||
        isTyping(event.target)
      )
        return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [input, isMain]);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
