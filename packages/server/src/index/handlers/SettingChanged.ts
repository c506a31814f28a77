import { launchpadAbi } from '@mintage/protocol';
import { evmEvent } from '../events/evm/evmEvent.ts';
import { addressAt, topicAt } from '../events/evm/words.ts';
import { solanaEvent } from '../events/solana/solanaEvent.ts';
import { eventKind } from './event.ts';

/** Only the treasury matters to the tables: it receives credits. */
export const SettingChanged = eventKind('SettingChanged', {
  evm: evmEvent(launchpadAbi, 'SettingChanged', {
    emitter: 'launchpad',
    decode: ({ topics, data }) => ({
      /** `treasury`, `voucherSigner`, `pendingOwner` or `owner`. */
      setting: Buffer.from(topicAt(topics, 1).slice(2), 'hex').toString('latin1').replace(/\0+$/, ''),
      value: addressAt(data, 0),
    }),
  }),
  solana: solanaEvent('SettingChanged', ({ setting, value }) => ({
    setting: ['treasury', 'voucherSigner', 'pendingOwner', 'owner'][setting] ?? String(setting),
    value,
  })),
  handle(page, { at, setting, value }) {
    if (setting !== 'treasury') return;
    page.journal.record(at.block, 'chain', { eid: page.chain.eid }, { treasury: page.treasury });
    page.treasury = value;
  },
});
