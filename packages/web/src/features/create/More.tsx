import type { ServedChain } from '@mintage/sdk';
import { chainName } from '../../lib/chainLooks.ts';
import { linkNames } from '../../lib/links.ts';
import type { Picture } from '../../lib/readPicture.ts';
import * as t from '../../messages/en/create.ts';
import { ChainMark } from '../../ui/chains.tsx';
import { Field } from '../../ui/Field.tsx';
import { PictureField } from '../../ui/PictureField.tsx';
import type { PoolType } from './draft.ts';
import { type FormPart, say } from './Fields.tsx';

const curves: readonly PoolType[] = ['meme', 'startup-preseed', 'test'];

/** What most leave as it is, folded. */
export const More = ({
  draft,
  change,
  problems,
  isDisabled,
  banner,
  setBanner,
  others,
  isTestnet,
}: FormPart & {
  banner: Picture | null;
  setBanner(picture: Picture | null): void;
  /** Chains besides the chosen one. */
  others: readonly ServedChain[];
  isTestnet: boolean;
}) => (
  <details
    className="field folded"
    open={say(problems, 'links') !== undefined || say(problems, 'tags') !== undefined || undefined}
  >
    <summary className="lab">
      {t.create.more} <span className="muted">{t.create.optional}</span>
    </summary>
    <div className="stack">
      <div className="two">
        {linkNames.map((name) => (
          <Field
            key={name}
            label={t.linkNames[name]}
            value={draft.links[name]}
            inputMode="url"
            maxLength={256}
            autoComplete="off"
            disabled={isDisabled}
            onChange={({ currentTarget }) => change({ links: { ...draft.links, [name]: currentTarget.value } })}
          />
        ))}
        <Field
          label={t.create.tags}
          value={draft.tags}
          maxLength={400}
          autoComplete="off"
          disabled={isDisabled}
          problem={say(problems, 'tags')}
          hint={t.create.tagsHint}
          onChange={({ currentTarget }) => change({ tags: currentTarget.value })}
        />
      </div>
      {say(problems, 'links') !== undefined && (
        <p className="hint down" role="alert">
          {say(problems, 'links')}
        </p>
      )}
      <PictureField label={t.create.banner} picture={banner} isBanner isDisabled={isDisabled} onChange={setBanner} />
      <fieldset className="field" disabled={isDisabled}>
        <legend className="lab">{t.create.curve}</legend>
        {curves
          .filter((one) => one !== 'test' || isTestnet)
          .map((one) => (
            <label key={one} className="choice">
              <input
                type="radio"
                name="curve"
                checked={draft.poolType === one}
                onChange={() => change({ poolType: one })}
              />
              <span>
                {t.create.curves[one]?.[0]}
                <span className="hint">{t.create.curves[one]?.[1]}</span>
              </span>
            </label>
          ))}
      </fieldset>
      {others.length > 0 && (
        <fieldset className="field" disabled={isDisabled}>
          <legend className="lab">{t.create.destinations}</legend>
          <div className="pick">
            {others.map(({ slug }) => (
              <label key={slug}>
                <input
                  type="checkbox"
                  checked={draft.destinations.includes(slug)}
                  onChange={({ currentTarget }) =>
                    change({
                      destinations: currentTarget.checked
                        ? [...draft.destinations, slug]
                        : draft.destinations.filter((one) => one !== slug),
                    })
                  }
                />
                <ChainMark slug={slug} />
                {chainName(slug)}
              </label>
            ))}
          </div>
          <p className="hint">{t.create.destinationsHint}</p>
        </fieldset>
      )}
    </div>
  </details>
);
