import { chooseTheme, type Theme, useTheme } from '../lib/theme.ts';
import * as t from '../messages/en/common.ts';
import { Icon } from '../ui/icons.tsx';

const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };
const icons = { system: 'monitor', light: 'sun', dark: 'moon' } as const;

/** As the system has it, light, or dark: kept in this browser. */
export const ThemeButton = () => {
  const theme = useTheme();
  return (
    <button type="button" className="row theme" onClick={() => chooseTheme(next[theme])}>
      <Icon name={icons[theme]} />
      {t.foot.theme[theme]}
    </button>
  );
};
