import type { TransactionItem } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { chainName } from '../../lib/chainLooks.ts';
import { ownKey, useSession } from '../../lib/session.ts';
import { ofToken } from '../../lib/tokenQueries.ts';
import { useWalletOn } from '../../lib/wallet.ts';
import * as t from '../../messages/en/across.ts';
import { Amount } from '../../ui/Amount.tsx';
import { Button } from '../../ui/Button.tsx';
import { TransactionLink } from '../../ui/ChainLink.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { type Crossing, crossingStatus, dropCrossing, stateOf } from './crossings.ts';
import { isHere } from './ways.ts';

const way = ['sent', 'verified', 'delivered'] as const;

/** One transfer on its way, until it is there. */
export const CrossingRow = ({ crossing }: { crossing: Crossing }) => {
  const client = useQueryClient();
  const session = useSession();
  const { data, error } = useQuery(crossingStatus(crossing, session !== null));
  const state = stateOf(crossing, data);
  const delivery = data?.delivery;
  useEffect(() => {
    if (state !== 'delivered') return;
    void client.invalidateQueries({ queryKey: ofToken(crossing.tokenId) });
    void client.invalidateQueries({ queryKey: ['about'] });
    void client.invalidateQueries({ queryKey: [ownKey, 'position', crossing.tokenId] });
  }, [state, client, crossing.tokenId]);
  const at = way.indexOf(state as (typeof way)[number]);
  const isOver = state === 'delivered' || state === 'lost' || state === 'reverted';
  return (
    <li className="crossing" data-state={state}>
      <div className="row between">
        <span>
          {crossing.amount !== null && <Amount value={crossing.amount} places={6} unit={crossing.symbol} />}{' '}
          {isHere({ from: crossing.chain, to: crossing.to }) ? (
            <>
              {t.across.onChain} {chainName(crossing.chain)}
            </>
          ) : (
            <>
              {chainName(crossing.chain)} {t.across.toChain} {chainName(crossing.to)}
            </>
          )}
        </span>
        {crossing.hash !== null && (
          <TransactionLink className="link small" chain={crossing.chain} hash={crossing.hash}>
            {t.token.transaction}
          </TransactionLink>
        )}
      </div>
      <p className="small" role="status">
        {t.across.states[state]}
        {state === 'sent' &&
          delivery !== undefined &&
          delivery.confirmationsLeft > 0 &&
          `, ${t.across.blocksLeft(delivery.confirmationsLeft)}`}
      </p>
      {at >= 0 && (
        <ol aria-hidden="true">
          {way.map((one, index) => (
            <li
              key={one}
              data-now={index === at && !isOver ? '' : undefined}
              data-done={index < at || state === 'delivered' ? '' : undefined}
            >
              {index + 1} {t.across.short[one]}
            </li>
          ))}
        </ol>
      )}
      {delivery?.reason != null && <p className="small down">{delivery.reason}</p>}
      {delivery?.retry != null && <Retry item={delivery.retry} />}
      {error !== null && data === undefined && <Problem error={error} />}
      {delivery?.hash != null && (
        <TransactionLink className="link small" chain={delivery.toChain} hash={delivery.hash}>
          {t.across.arrival}
        </TransactionLink>
      )}
      {(isOver || state === 'asked') && (
        <Button size="s" onClick={() => dropCrossing(crossing.id)}>
          {t.across.forget}
        </Button>
      )}
    </li>
  );
};

/** Delivers it once more: by the browser's wallet, or by the embedded one. */
const Retry = ({ item }: { item: TransactionItem }) => {
  const client = useQueryClient();
  const wallet = useWalletOn(item.chainSlug);
  const [at, setAt] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const deliver = async (): Promise<void> => {
    setAt({ isBusy: true, error: null });
    try {
      const api = apiOf(client);
      if (wallet?.type !== 'evm')
        await api.sendTransaction({ to: item.to, data: item.data, amount: '0', chainSlug: item.chainSlug });
      else await (await import('../../lib/signing.ts')).deliverHere(api, item, wallet);
      setAt({ isBusy: false, error: null });
    } catch (error) {
      setAt({ isBusy: false, error });
    }
  };
  return (
    <>
      <Button kind="ink" onClick={() => void deliver()} disabled={at.isBusy}>
        {t.across.retry}
      </Button>
      {at.error !== null && <Problem error={at.error} />}
    </>
  );
};
