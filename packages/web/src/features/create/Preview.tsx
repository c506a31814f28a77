import { chainName } from '../../lib/chainLooks.ts';
import type { Picture } from '../../lib/readPicture.ts';
import * as t from '../../messages/en/create.ts';
import { Dollars } from '../../ui/Amount.tsx';
import { Coin } from '../../ui/Coin.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import type { Draft } from './draft.ts';
import { startCap } from './startCap.ts';

/** The row of the list that the token will be. */
export const Preview = ({ draft, picture, chain }: { draft: Draft; picture: Picture | null; chain: string | null }) => (
  <section className="card" aria-label={t.create.preview}>
    <div className="head">
      <h2>{t.create.preview}</h2>
    </div>
    <div className="as-seen">
      <Coin picture={picture?.uri ?? null} symbol={draft.symbol.trim() || '?'} raised={0} />
      <div className="grow">
        <div className="clip">
          <b>{draft.name.trim() || t.create.previewName}</b>{' '}
          <span className="muted">{draft.symbol.trim() || t.create.previewSymbol}</span>
        </div>
        <div className="hint row">
          {chain !== null && <ChainMark slug={chain} />}
          {chain !== null && chainName(chain)}
          <span>· {t.create.now}</span>
        </div>
      </div>
      <div className="right">
        <b>
          <Dollars value={startCap[draft.poolType]} />
        </b>
        <div className="hint">{t.create.raised}</div>
      </div>
    </div>
  </section>
);
