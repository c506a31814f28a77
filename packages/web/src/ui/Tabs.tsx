import { type KeyboardEvent, type ReactNode, useRef } from 'react';

export interface Tab<Key extends string> {
  key: Key;
  label: ReactNode;
}

/** A choice of one by the pattern of tabs: arrows go to the next one, and choose it. */
export const Tabs = <Key extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  className = 'seg',
  size,
  controls,
}: {
  label: string;
  tabs: readonly Tab<Key>[];
  chosen: Key;
  onChoose(key: Key): void;
  className?: string;
  size?: 's';
  /** Id of what the tabs change. */
  controls?: string;
}) => {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ key }) => key === chosen);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const next = to === undefined ? undefined : tabs[(to + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.key);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[tabs.indexOf(next)]?.focus();
  };
  return (
    <div ref={list} className={className} data-size={size} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ key, label: text }) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={key === chosen}
          aria-controls={controls}
          tabIndex={key === chosen ? 0 : -1}
          data-key={key}
          onClick={() => onChoose(key)}
        >
          {text}
        </button>
      ))}
    </div>
  );
};
