import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { differenceOf, signOf } from '../../lib/exact.ts';
import { decimal, short } from '../../lib/format.ts';
import type { Account } from '../../lib/ownQueries.ts';
import { ownKey } from '../../lib/session.ts';
import * as t from '../../messages/en/rewards.ts';
import { Copy } from '../../ui/Address.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Problem } from '../../ui/Problem.tsx';

type Network = 'mainnet' | 'testnet';
const isCode = (text: string): boolean => /^[a-zA-Z0-9]{4,20}$/.test(text);
/** Dollars, of `createReferralCode`. */
const neededVolume = '10000';

/** A code to give to others, and the link that enters it. */
export const Invitation = ({
  referral,
  joined,
  network,
}: {
  referral: Account['referral'];
  joined: number;
  network: Network;
}) => (
  <section className="card pad stack" aria-label={t.rewards.invitation}>
    <h2>{t.rewards.invitation}</h2>
    {referral.shareLink !== undefined ? (
      <Link link={referral.shareLink} code={referral.code ?? ''} />
    ) : signOf(differenceOf(referral.tradedVolumeUsd, neededVolume)) < 0 ? (
      <p className="soft">{t.rewards.needVolume(`$${decimal(referral.tradedVolumeUsd, 2, true)}`)}</p>
    ) : (
      <NewCode network={network} />
    )}
    <dl className="lines">
      <div>
        <dt>{t.rewards.youGet}</dt>
        <dd>{t.rewards.youGetValue}</dd>
      </div>
      <div>
        <dt>{t.rewards.theyGet}</dt>
        <dd>{t.rewards.theyGetValue}</dd>
      </div>
      <div>
        <dt>{t.rewards.joined}</dt>
        <dd>{t.rewards.people(joined)}</dd>
      </div>
    </dl>
  </section>
);

const Link = ({ link, code }: { link: string; code: string }) => (
  <div className="share">
    <a className="grow clip" href={link}>
      {link.replace(/^https?:\/\//, '').slice(0, -code.length)}
      <b>{code}</b>
    </a>
    <Copy text={link} label={t.rewards.copy} />
  </div>
);

/** A form of one code: what it sends, and what it says when it is wrong. */
const CodeForm = ({
  label,
  act,
  hint,
  ask,
  error,
  isPending,
}: {
  label: string;
  act: string;
  hint: string;
  ask(code: string): void;
  error: unknown;
  isPending: boolean;
}) => {
  const [code, setCode] = useState('');
  const [isTried, setTried] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (isCode(code)) ask(code);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <div className="code-form">
        <Field
          label={label}
          value={code}
          maxLength={20}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          hint={hint}
          problem={isTried && !isCode(code) ? t.rewards.badCode : undefined}
          onChange={({ currentTarget }) => setCode(currentTarget.value.trim())}
        />
        <Button type="submit" disabled={isPending}>
          {act}
        </Button>
      </div>
      {error !== null && <Problem error={error} />}
    </form>
  );
};

const NewCode = ({ network }: { network: Network }) => {
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (code: string) => apiOf(client).createReferralCode({ code, network_mode: network }),
    onSuccess: () => client.invalidateQueries({ queryKey: [ownKey] }),
  });
  return (
    <CodeForm
      label={t.rewards.newCode}
      hint={t.rewards.newCodeHint}
      act={t.rewards.makeCode}
      ask={mutate}
      error={error}
      isPending={isPending}
    />
  );
};

/** The code of somebody else: once, and for good. */
export const EnterCode = ({ referral, network }: { referral: Account['referral']; network: Network }) => {
  const client = useQueryClient();
  const { mutate, error, isPending, data } = useMutation({
    mutationFn: (code: string) => apiOf(client).enterReferralCode({ referral_code: code, network_mode: network }),
    onSuccess: () => client.invalidateQueries({ queryKey: [ownKey] }),
  });
  return (
    <section className="card pad stack" aria-label={t.rewards.invited}>
      {data !== undefined ? (
        <>
          <h2>{t.rewards.invitedBy}</h2>
          <p className="soft" role="status">
            {t.rewards.entered(data.referrer_code)}
          </p>
        </>
      ) : referral.referredBy !== undefined ? (
        <>
          <h2>{t.rewards.invitedBy}</h2>
          <p className="soft">
            {t.rewards.invitedByText}{' '}
            <span className="mono" title={referral.referredBy}>
              {short(referral.referredBy)}
            </span>
          </p>
        </>
      ) : (
        <>
          <h2>{t.rewards.invited}</h2>
          <CodeForm
            label={t.rewards.code}
            hint={t.rewards.invitedText}
            act={t.rewards.use}
            ask={mutate}
            error={error}
            isPending={isPending}
          />
        </>
      )}
    </section>
  );
};
