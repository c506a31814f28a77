import type { MeAnswer } from '@mintage/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { useNow } from '../../lib/now.ts';
import { createPasskey, hasPasskeys } from '../../lib/passkeys.ts';
import { ownKey } from '../../lib/session.ts';
import { useAct } from '../../lib/useAct.ts';
import { chooseAccount, useWallet } from '../../lib/wallet.ts';
import * as t from '../../messages/en/account.ts';
import { Address, Copy } from '../../ui/Address.tsx';
import { Ago } from '../../ui/Ago.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Sure } from '../../ui/Sure.tsx';
import { LinkWallet } from './LinkWallet.tsx';
import { passkeys } from './queries.ts';
import { Trouble } from './Trouble.tsx';

type Account = MeAnswer['data'];

/** Passkeys, wallets and identities that sign in to the account. */
export const WaysIn = ({ account }: { account: Account }) => {
  const client = useQueryClient();
  const act = useAct();
  const wallet = useWallet();
  const { data } = useQuery(passkeys());
  const [open, setOpen] = useState<'passkey' | 'wallet' | null>(null);
  const changed = () => client.invalidateQueries({ queryKey: [ownKey] });
  const close = async (): Promise<void> => {
    setOpen(null);
    await changed();
  };
  const remove = (id: string) =>
    act.run('', async () => {
      await apiOf(client).removePasskey({ id });
      await changed();
    });
  const unlink = (address: string) =>
    act.run('', async () => {
      await apiOf(client).unlinkWallet({ address });
      await changed();
    });
  const { identities, wallets, passkeys: count } = account.signIn;
  return (
    <section className="card" aria-labelledby="ways-in">
      <div className="head">
        <h2 id="ways-in">{t.account.waysIn.title}</h2>
      </div>
      {count + wallets + identities <= 1 && (
        <div className="note flat">
          <Icon name="alert" />
          <p>{t.account.waysIn.weak}</p>
        </div>
      )}
      <ul className="rows">
        {data?.passkeys.map(({ id, name, synced, createdAt, lastUsedAt, actsFrom }) => (
          <li key={id}>
            <Icon name="fingerprint" />
            <div className="grow">
              <div className="clip">{name}</div>
              <div className="hint">
                {synced ? t.account.waysIn.synced : t.account.waysIn.oneDevice},{' '}
                {t.account[lastUsedAt === null ? 'made' : 'used']} <Ago at={lastUsedAt ?? createdAt} /> {t.account.ago}
              </div>
              <Waits until={actsFrom} />
            </div>
            <Sure label={`${t.account.waysIn.remove} ${name}`} onSure={() => remove(id)}>
              {t.account.waysIn.remove}
            </Sure>
          </li>
        ))}
        {account.wallets
          .filter(({ embedded }) => !embedded)
          .map(({ address, actsFrom }) => (
            <li key={address}>
              <Icon name="wallet" />
              <div className="grow">
                <div>{t.account.waysIn.wallet}</div>
                <div className="hint">
                  <Address value={address} />
                </div>
                <Waits until={actsFrom} />
              </div>
              <Copy text={address} label={t.copyAddress} />
              <Sure label={`${t.account.waysIn.unlink} ${address}`} onSure={() => unlink(address)}>
                {t.account.waysIn.unlink}
              </Sure>
            </li>
          ))}
        {identities > 0 && (
          <li>
            <Icon name="user" />
            <div className="grow">{t.account.waysIn.identities(identities)}</div>
          </li>
        )}
      </ul>
      <div className="pad stack acts">
        {act.error !== null && <Trouble act={act} />}
        {hasPasskeys() && (
          <Button onClick={() => setOpen('passkey')}>
            <Icon name="plus" />
            {t.account.waysIn.addPasskey}
          </Button>
        )}
        <Button onClick={() => setOpen('wallet')}>
          <Icon name="plus" />
          {t.account.waysIn.linkWallet}
        </Button>
        {wallet?.type === 'evm' && (
          <Button onClick={() => act.run('', () => chooseAccount(wallet))}>
            <Icon name="refresh" />
            {t.account.waysIn.otherAccount}
          </Button>
        )}
      </div>
      <Dialog title={t.account.waysIn.addPasskey} isOpen={open === 'passkey'} onClose={() => setOpen(null)}>
        <NewPasskey onDone={close} />
      </Dialog>
      <Dialog title={t.account.waysIn.linkWallet} isOpen={open === 'wallet'} onClose={() => setOpen(null)}>
        <LinkWallet onDone={close} />
      </Dialog>
    </section>
  );
};

/** Of a way in that does not act yet. */
const Waits = ({ until }: { until: string | null | undefined }) => {
  const now = useNow();
  if (until == null || Date.parse(until) <= now) return null;
  return <div className="hint">{t.account.waysIn.waits(new Date(until).toLocaleString())}</div>;
};

const NewPasskey = ({ onDone }: { onDone(): void }) => {
  const api = apiOf(useQueryClient());
  const act = useAct();
  const create = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    if (await act.run(t.signIn.confirming, () => createPasskey(api, { isNew: false, name }))) onDone();
  };
  return (
    <form className="stack" onSubmit={create}>
      <Field
        label={t.account.waysIn.passkeyName}
        hint={t.account.waysIn.passkeyHint}
        name="name"
        maxLength={64}
        autoComplete="off"
      />
      <Trouble act={act} />
      <Button kind="ink" size="l" type="submit" disabled={act.doing !== null}>
        {t.account.waysIn.create}
      </Button>
    </form>
  );
};
