import type { FactProof, TokenAbout } from '@mintage/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useDeployment } from '../../lib/deployment.ts';
import { tokenFacts } from '../../lib/tokenQueries.ts';
import * as t from '../../messages/en/facts.ts';
import { Blocks } from '../../ui/Empty.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { Stamp } from '../../ui/Stamp.tsx';
import { type FactRow, factRows } from './factRows.tsx';
import { ProofDialog, proofHref } from './ProofDialog.tsx';

/** What is proved about the token. Each fact opens its proof; what is not known says so. */
export const Facts = ({ about }: { about: TokenAbout }) => {
  const { data, error, refetch } = useQuery(tokenFacts(about.id));
  const [open, setOpen] = useState<FactRow | null>(null);
  return (
    <section className="card" aria-labelledby="facts">
      <div className="head">
        <h2 id="facts">{t.facts.title}</h2>
        <span className="muted small">{t.facts.eachOpens}</span>
      </div>
      {error !== null && data === undefined && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Blocks count={8} height={56} />}
      {data !== undefined && (
        <ul>
          {factRows(data).map((row) => (
            <li key={row.key} className="fact">
              <Stamp isKnown={row.isKnown} />
              <div>
                <span id={`${row.key}-name`}>{row.name}</span>
                <small>{row.note}</small>
              </div>
              <b>
                {row.isKnown && row.proofs[0] !== undefined ? (
                  <Opener proof={row.proofs[0]} name={row.key} onOpen={() => setOpen(row)}>
                    {row.value}
                  </Opener>
                ) : (
                  <span className="muted">{row.isKnown ? row.value : t.unknown}</span>
                )}
              </b>
            </li>
          ))}
        </ul>
      )}
      <ProofDialog row={open} onClose={() => setOpen(null)} />
    </section>
  );
};

/** A link that leads to the first proof where there are no scripts, and opens all of them where there are. */
const Opener = ({
  proof,
  name,
  onOpen,
  children,
}: {
  proof: FactProof;
  /** Of the fact: it names the link. */
  name: string;
  onOpen(): void;
  children: ReactNode;
}) => {
  const { base } = useDeployment();
  return (
    <a
      className="link"
      href={proofHref(base, proof)}
      aria-haspopup="dialog"
      id={`${name}-value`}
      aria-labelledby={`${name}-name ${name}-value`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        onOpen();
      }}
    >
      {children}
    </a>
  );
};
