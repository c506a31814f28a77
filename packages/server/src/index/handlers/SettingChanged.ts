import type { SettingChanged } from '../events/events.ts';
import type { Page } from '../store/page.ts';

/** Of the settings, only the treasury decides who is credited. */
export const handleSettingChanged = (page: Page, { at, setting, value }: SettingChanged): void => {
  if (setting !== 'treasury') return;
  page.journal.record(at.block, 'chain', { chain_id: page.chain.chainId }, { treasury: page.treasury });
  page.treasury = value;
};
