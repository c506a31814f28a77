import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { chainName } from '../../lib/chainLooks.ts';
import { unitsToText } from '../../lib/format.ts';
import { chains } from '../../lib/queries.ts';
import * as t from '../../messages/en/across.ts';
import { Address } from '../../ui/Address.tsx';
import { Amount, Dollars } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { type PricedSending, sendPriced } from './sending.ts';
import { isHere } from './ways.ts';

/** What sending costs and brings, before anybody signs. */
export const Priced = ({ priced, onChange, onSent }: { priced: PricedSending; onChange(): void; onSent(): void }) => {
  const client = useQueryClient();
  const { data: served } = useQuery(chains());
  const [at, setAt] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const { asked, metadata, prepared } = priced;
  const coin = served?.chains.find(({ slug }) => slug === asked.from)?.nativeCurrency;
  const transfer = 'crossChain' in metadata && metadata.crossChain ? metadata : null;
  const isRefused = (at.error as { code?: unknown } | null)?.code === 'WALLET_REFUSED';
  const send = async (): Promise<void> => {
    setAt({ isBusy: true, error: null });
    try {
      await sendPriced(client, priced, onSent);
    } catch (error) {
      setAt({ isBusy: false, error });
    }
  };
  return (
    <div className="send">
      <dl className="lines">
        <div>
          <dt>{isHere(asked) ? t.across.chain : t.across.from}</dt>
          <dd>{chainName(asked.from)}</dd>
        </div>
        {!isHere(asked) && (
          <div>
            <dt>{t.across.to}</dt>
            <dd>{chainName(asked.to)}</dd>
          </div>
        )}
        {prepared.operation === 'transferToken' && (
          <div>
            <dt>{t.across.recipient}</dt>
            <dd>
              {isHere(asked) ? (
                <span className="mono">{prepared.asked.recipient_address}</span>
              ) : (
                <Address value={prepared.asked.recipient_address} />
              )}
            </dd>
          </div>
        )}
        {transfer !== null && (
          <div>
            <dt>{t.across.arrives}</dt>
            <dd>
              <Amount value={transfer.amountReceived} places={6} unit={asked.token.symbol} />
            </dd>
          </div>
        )}
        {transfer !== null && transfer.amountKept !== '0' && (
          <div>
            <dt>{t.across.kept}</dt>
            <dd>
              <Amount value={transfer.amountKept} places={18} unit={asked.token.symbol} />
            </dd>
          </div>
        )}
        {!isHere(asked) && (
          <>
            <div>
              <dt>{t.across.fee}</dt>
              <dd>
                <Amount
                  value={unitsToText(BigInt(metadata.nativeFee), coin?.decimals ?? 18)}
                  places={6}
                  unit={coin?.symbol ?? ''}
                />{' '}
                {transfer?.nativeFeeUsd != null && (
                  <span className="muted">
                    <Dollars value={transfer.nativeFeeUsd} />
                  </span>
                )}
              </dd>
            </div>
            <div>
              <dt>{t.across.duration}</dt>
              <dd>{t.across.takes(metadata.estimatedSeconds)}</dd>
            </div>
          </>
        )}
      </dl>
      {isHere(asked) ? (
        <p className="hint">{t.across.sure}</p>
      ) : (
        <p className="hint">
          {t.across.feeReserve(coin?.symbol ?? '')} {transfer?.registersToken === true && t.across.makesToken}
        </p>
      )}
      {isRefused ? (
        <p className="note" role="alert">
          {t.across.refused}
        </p>
      ) : (
        at.error !== null && <Problem error={at.error} />
      )}
      <Button kind="ink" size="l" onClick={() => void send()} disabled={at.isBusy}>
        {at.isBusy
          ? t.across.signing
          : asked.kind === 'transfer'
            ? t.across.sign(asked.amount, asked.token.symbol)
            : t.across.registerThere(chainName(asked.to))}
      </Button>
      <Button onClick={onChange} disabled={at.isBusy}>
        {t.across.change}
      </Button>
    </div>
  );
};
