import { useStored } from '../lib/useStored.ts';
import { store } from '../lib/storage.ts';
import { t } from '../messages/t.ts';
import { Icon } from '../ui/icons.tsx';

type Theme = 'system' | 'light' | 'dark';
const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const;

/** As the system has it, light, or dark: kept in this browser. */
export const ThemeButton = () => {
  const theme = useStored<Theme>('theme') ?? 'system';
  const choose = (): void => {
    const chosen = next[theme];
    store('theme', chosen === 'system' ? null : chosen);
    if (chosen === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
  };
  return (
    <button type="button" className="row theme" onClick={choose}>
      <Icon name={icons[theme]} />
      {t.foot.theme[theme]}
    </button>
  );
};
