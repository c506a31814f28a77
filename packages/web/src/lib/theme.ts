import { store } from './storage.ts';
import { useStored } from './useStored.ts';

export type Theme = 'system' | 'light' | 'dark';

export const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** As the system has it, light, or dark: kept in this browser. */
export const useTheme = (): Theme => useStored<Theme>('theme') ?? 'system';

export const chooseTheme = (theme: Theme): void => {
  store('theme', theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};
