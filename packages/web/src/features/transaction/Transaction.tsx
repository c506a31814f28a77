import type { GetTransactionAnswer, TransactionCall, TransactionEvent } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { chainName } from '../../lib/chainLooks.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { chains } from '../../lib/queries.ts';
import * as t from '../../messages/en/transaction.ts';
import { Address, Copy } from '../../ui/Address.tsx';
import { Ago } from '../../ui/Ago.tsx';
import { Amount } from '../../ui/Amount.tsx';
import { AddressLink } from '../../ui/ChainLink.tsx';
import { ChainMark } from '../../ui/chains.tsx';
import { Stamp } from '../../ui/Stamp.tsx';
import { Sentence } from './Sentence.tsx';
import './transaction.css';

/** A transaction of a served chain: what it called, and what happened. */
export const Transaction = ({ transaction }: { transaction: GetTransactionAnswer }) => {
  const { base } = useDeployment();
  const { data: served } = useQuery(chains());
  const chain = served?.chains.find(({ slug }) => slug === transaction.chain);
  const coin = chain?.nativeCurrency.symbol ?? '';
  const isDone = transaction.status === 'final' || transaction.status === 'mined';
  return (
    <>
      <section className="card pad" aria-label={t.tx.title}>
        <dl className="lines">
          <Line name={t.tx.status}>
            <span className="row">
              <Stamp isKnown={transaction.status === 'final' || transaction.status === 'failed'} />
              <span className={isDone ? 'up' : transaction.status === 'sent' ? '' : 'down'}>
                {t.tx.statuses[transaction.status]}
              </span>
            </span>
          </Line>
          <Line name={t.tx.chain}>
            <span className="row">
              <ChainMark slug={transaction.chain} />
              {chain?.name ?? chainName(transaction.chain)}
            </span>
          </Line>
          {transaction.block_number !== null && (
            <Line name={t.tx.blockName}>{transaction.block_number.toLocaleString('en-US')}</Line>
          )}
          {transaction.time !== null && (
            <Line name={t.tx.time}>
              <span className="nowrap">{transaction.time.slice(0, 19).replace('T', ' ')} UTC,</span>{' '}
              <span className="nowrap">
                <Ago at={transaction.time} /> {t.token.old}
              </span>
            </Line>
          )}
          <Line name={t.tx.from}>
            <Place chain={transaction.chain} address={transaction.from} />
          </Line>
          {transaction.to !== null && (
            <Line name={t.tx.to}>
              <Place chain={transaction.chain} address={transaction.to} />
            </Line>
          )}
          {transaction.value !== '0' && (
            <Line name={t.tx.value}>
              <Amount value={transaction.value} places={8} unit={coin} />
            </Line>
          )}
          {transaction.fee !== null && (
            <Line name={t.tx.fee}>
              <Amount value={transaction.fee} places={12} unit={coin} />
            </Line>
          )}
        </dl>
        {transaction.error !== null && (
          <p className="note" data-tone="down">
            {transaction.error}
          </p>
        )}
        {transaction.one_provider && <p className="hint">{t.tx.oneProvider}</p>}
        {transaction.explorer_url !== null && (
          <p>
            <a className="link" href={transaction.explorer_url} target="_blank" rel="noopener">
              {t.tx.explorer}
            </a>
          </p>
        )}
      </section>
      <section className="card" aria-labelledby="called">
        <div className="head">
          <h2 id="called">{t.tx.did}</h2>
        </div>
        {transaction.calls.length === 0 && <p className="pad">{t.tx.payment}</p>}
        <ol>
          {transaction.calls.map((call, index) => (
            <Part key={index} part={call} name={call.function ?? t.tx.unknownFunction} chain={transaction.chain} />
          ))}
        </ol>
      </section>
      <section className="card" aria-labelledby="happened">
        <div className="head">
          <h2 id="happened">{t.tx.happened}</h2>
        </div>
        {transaction.events.length === 0 && <p className="pad">{t.tx.nothingHappened}</p>}
        <ol>
          {transaction.events.map((event) => (
            <Part key={event.log_index} part={event} name={event.event} chain={transaction.chain}>
              <Sentence event={event} chain={transaction.chain} dollar={chain?.dollarToken ?? null} />
            </Part>
          ))}
        </ol>
        {transaction.other_events > 0 && <p className="pad muted">{t.tx.others(transaction.other_events)}</p>}
      </section>
      <p className="hint">
        {t.tx.asJson}{' '}
        <a className="link" href={`${base}/docs/reference/getTransaction`}>
          getTransaction
        </a>
        .
      </p>
    </>
  );
};

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Place = ({ chain, address }: { chain: string; address: string }) => (
  <span className="row">
    <AddressLink className="link" chain={chain} address={address}>
      <Address value={address} />
    </AddressLink>
    <Copy text={address} label={t.copyAddress} />
  </span>
);

/** A call or an event: in a sentence where it is one that people know, and with all that it said. */
const Part = ({
  part,
  name,
  chain,
  children,
}: {
  part: TransactionCall | TransactionEvent;
  name: string;
  chain: string;
  children?: ReactNode;
}) => (
  <li className="part">
    <div className="row between">
      <span>
        <b>{name}</b> <span className="muted">{t.tx.on}</span> {part.contract}
      </span>
      <Place chain={chain} address={part.address} />
    </div>
    {children}
    {Object.keys(part.args).length > 0 && (
      <details>
        <summary>{t.tx.details}</summary>
        <dl className="args">
          {Object.entries(part.args).map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd className="mono">{Array.isArray(value) ? value.join(', ') : String(value)}</dd>
            </div>
          ))}
        </dl>
      </details>
    )}
  </li>
);
