import { useQueryClient } from '@tanstack/react-query';
import { apiOf } from '../../lib/api.ts';
import { signOut } from '../../lib/session.ts';
import { store } from '../../lib/storage.ts';
import { chooseTheme, themes, useTheme } from '../../lib/theme.ts';
import { useStored } from '../../lib/useStored.ts';
import * as t from '../../messages/en/account.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Switch } from '../../ui/Switch.tsx';

/** What belongs to this browser and not to the account. */
export const Here = () => {
  const api = apiOf(useQueryClient());
  const theme = useTheme();
  const hasKeys = useStored<boolean>('keys') !== false;
  return (
    <section className="card pad stack" aria-labelledby="here">
      <h2 id="here">{t.account.here.title}</h2>
      <div className="row between">
        <div>
          <div>{t.account.here.keys}</div>
          <div className="hint">{t.account.here.keysText}</div>
        </div>
        <Switch label={t.account.here.keys} isOn={hasKeys} onChange={(isOn) => store('keys', isOn ? null : false)} />
      </div>
      <fieldset className="row between">
        <legend className="sr">{t.account.here.theme}</legend>
        <span aria-hidden="true">{t.account.here.theme}</span>
        <div className="seg radios" data-size="s">
          {themes.map((one) => (
            <label key={one} data-on={theme === one ? '' : undefined}>
              <input type="radio" name="theme" checked={theme === one} onChange={() => chooseTheme(one)} />
              {t.account.here.themes[one]}
            </label>
          ))}
        </div>
      </fieldset>
      <div>
        <Button onClick={() => signOut(api)}>
          <Icon name="logOut" />
          {t.account.signOut}
        </Button>
        <p className="hint">{t.account.here.signOutText}</p>
      </div>
    </section>
  );
};
