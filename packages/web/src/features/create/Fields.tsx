import type { ServedChain } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { chainName } from '../../lib/chainLooks.ts';
import { useLater } from '../../lib/useLater.ts';
import * as t from '../../messages/en/create.ts';
import { Button } from '../../ui/Button.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Field, TextField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { Draft, Problems } from './draft.ts';
import { namesakes } from './queries.ts';

export interface FormPart {
  draft: Draft;
  change(part: Partial<Draft>): void;
  /** What is told of what is wrong: nothing before somebody tries. */
  problems: Problems;
  isDisabled: boolean;
}

export const say = (problems: Problems, field: keyof Problems): string | undefined => {
  const problem = problems[field];
  return problem && t.create.problems[field]?.[problem];
};

export const Names = ({ draft, change, problems, isDisabled }: FormPart) => {
  const symbol = useLater(draft.symbol.trim());
  const { data: count = 0 } = useQuery(namesakes(symbol));
  return (
    <>
      <div className="names">
        <Field
          label={t.create.name}
          value={draft.name}
          maxLength={64}
          autoComplete="off"
          disabled={isDisabled}
          problem={say(problems, 'name')}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
        <Field
          label={t.create.symbol}
          value={draft.symbol}
          maxLength={20}
          autoComplete="off"
          autoCapitalize="characters"
          disabled={isDisabled}
          problem={say(problems, 'symbol')}
          onChange={({ currentTarget }) => change({ symbol: currentTarget.value })}
        />
      </div>
      {count > 0 && symbol !== '' && (
        <div className="note">
          <Icon name="info" />
          <span>{t.create.namesakes(count, symbol)}</span>
        </div>
      )}
      <TextField
        label={t.create.about}
        value={draft.description}
        maxLength={2_000}
        disabled={isDisabled}
        problem={say(problems, 'description')}
        hint={t.create.counted([...draft.description.trim()].length)}
        onChange={({ currentTarget }) => change({ description: currentTarget.value })}
      />
    </>
  );
};

/** So many chains are shown before "more". */
const firstChains = 5;

export const ChainChoice = ({
  chains,
  chosen,
  canCross,
  onChoose,
  isDisabled,
}: {
  chains: readonly ServedChain[];
  chosen: string | null;
  /** Whether tokens of the chosen chain can be carried to others. */
  canCross: boolean;
  onChoose(slug: string): void;
  isDisabled: boolean;
}) => {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? chains : chains.filter(({ slug }, at) => at < firstChains || slug === chosen);
  return (
    <fieldset className="field" disabled={isDisabled}>
      <legend className="lab">{t.create.chain}</legend>
      <div className="pick">
        {shown.map(({ slug, status }) => (
          <label key={slug}>
            <input
              type="radio"
              name="chain"
              checked={slug === chosen}
              disabled={status !== 'live'}
              onChange={() => onChoose(slug)}
            />
            <ChainMark slug={slug} />
            {chainName(slug)}
            {status !== 'live' && <span className="muted">{t.create.notNow}</span>}
          </label>
        ))}
        {shown.length < chains.length && (
          <Button kind="bare" onClick={() => setOpen(true)}>
            {t.create.moreChains(chains.length - shown.length)}
          </Button>
        )}
      </div>
      {canCross && <p className="hint">{t.create.chainHint}</p>}
    </fieldset>
  );
};
