import type { FactProof } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { chainName } from '../../lib/chainLooks.ts';
import { useDeployment } from '../../lib/deployment.ts';
import { chains } from '../../lib/queries.ts';
import * as t from '../../messages/en/facts.ts';
import { Address, Copy } from '../../ui/Address.tsx';
import { Button } from '../../ui/Button.tsx';
import { AddressLink, TransactionLink } from '../../ui/ChainLink.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Problem } from '../../ui/Problem.tsx';
import type { FactRow } from './factRows.tsx';

/** Path of the page that a proof has by itself. */
export const proofHref = (base: string, proof: FactProof): string => {
  if (proof.kind === 'transaction') return `${base}/tx/${proof.chain}/${proof.hash}`;
  return proof.kind === 'contract'
    ? `${base}/docs/guides/verifying`
    : `${base}/docs/reference${operationOf(proof.path)}`;
};

/** `/get-token-holders` is documented as getTokenHolders. */
const operationOf = (path: string): string => path.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** All that a fact can be found again by. */
export const ProofDialog = ({ row, onClose }: { row: FactRow | null; onClose(): void }) => (
  <Dialog title={row?.name ?? ''} isOpen={row !== null} onClose={onClose}>
    {row !== null && (
      <>
        <p>
          <b>{row.value}</b> <span className="soft">{row.note}</span>
        </p>
        <ul className="stack">
          {row.proofs.map((proof) => (
            <li key={JSON.stringify(proof)}>
              <Proof proof={proof} />
            </li>
          ))}
        </ul>
      </>
    )}
  </Dialog>
);

const Proof = ({ proof }: { proof: FactProof }) => {
  const place = `${chainName(proof.chain)}${proof.block === null ? '' : `, ${t.token.inBlock(proof.block.toLocaleString('en-US'))}`}`;
  if (proof.kind === 'query') return <Query proof={proof} place={place} />;
  if (proof.kind === 'transaction')
    return (
      <div className="proof-line">
        <TransactionLink className="link" chain={proof.chain} hash={proof.hash}>
          {t.token.transaction} <Address value={proof.hash} />
        </TransactionLink>
        <small className="muted">{place}</small>
      </div>
    );
  return <Contract proof={proof} place={place} />;
};

const Contract = ({ proof, place }: { proof: Extract<FactProof, { kind: 'contract' }>; place: string }) => {
  const { data } = useQuery(chains());
  const rpcUrl = data?.chains.find(({ slug }) => slug === proof.chain)?.rpcUrl;
  return (
    <div className="proof-line">
      <span className="row">
        <AddressLink className="link" chain={proof.chain} address={proof.address}>
          {t.facts.contract} <Address value={proof.address} />
        </AddressLink>
        <Copy text={proof.address} label={t.copyAddress} />
      </span>
      <small className="muted">{place}</small>
      {rpcUrl !== undefined && <pre tabIndex={0}>{`cast code ${proof.address} --rpc-url ${rpcUrl}`}</pre>}
    </div>
  );
};

const Query = ({ proof, place }: { proof: Extract<FactProof, { kind: 'query' }>; place: string }) => {
  const { appUrl, base } = useDeployment();
  const [answer, setAnswer] = useState<{ text: string | null; error: unknown }>({ text: null, error: null });
  const body = JSON.stringify(proof.body);
  const path = `/functions/v1${proof.path}`;
  const command = `curl -s ${appUrl}${path} -H 'content-type: application/json' -d '${body}'`;
  const ask = async (): Promise<void> => {
    try {
      const answered = await fetch(`${location.origin}${base}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      setAnswer({ text: JSON.stringify(await answered.json(), null, 1), error: null });
    } catch (error) {
      setAnswer({ text: null, error });
    }
  };
  return (
    <div className="proof-line">
      <span>{t.facts.query}</span>
      <small className="muted">{place}</small>
      <pre tabIndex={0}>{command}</pre>
      <span className="row">
        <Copy text={command} label={t.facts.copyCommand} />
        <Button size="s" onClick={() => void ask()}>
          {t.facts.ask}
        </Button>
      </span>
      {answer.error !== null && <Problem error={answer.error} />}
      {answer.text !== null && (
        <pre tabIndex={0} aria-label={t.facts.answer}>
          {answer.text}
        </pre>
      )}
    </div>
  );
};
