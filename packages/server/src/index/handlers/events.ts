import { Announced } from './Announced.ts';
import { Completed } from './Completed.ts';
import type { EventOf } from './event.ts';
import { Graduated } from './Graduated.ts';
import { Held } from './Held.ts';
import { LzReceiveAlert } from './LzReceiveAlert.ts';
import { Numbered } from './Numbered.ts';
import { PoolFeesCollected } from './PoolFeesCollected.ts';
import { PoolLeveled } from './PoolLeveled.ts';
import { ProtocolFeeUpdated } from './ProtocolFeeUpdated.ts';
import { ReferrerSet } from './ReferrerSet.ts';
import { SettingChanged } from './SettingChanged.ts';
import { Swap } from './Swap.ts';
import { TokenCreated } from './TokenCreated.ts';
import { TokenReceived } from './TokenReceived.ts';
import { TokenRegistered } from './TokenRegistered.ts';
import { TokenSent } from './TokenSent.ts';
import { Trade } from './Trade.ts';
import { Transfer } from './Transfer.ts';
import { TreasuryCollected } from './TreasuryCollected.ts';
import { Withdrawn } from './Withdrawn.ts';

/** The events that the tables are made of. */
export const events = [
  TokenCreated,
  Trade,
  Completed,
  Graduated,
  TreasuryCollected,
  Withdrawn,
  ReferrerSet,
  SettingChanged,
  Transfer,
  ProtocolFeeUpdated,
  Swap,
  PoolFeesCollected,
  PoolLeveled,
  TokenRegistered,
  TokenSent,
  TokenReceived,
  Announced,
  LzReceiveAlert,
  Numbered,
  Held,
] as const;

export type ChainEvent = EventOf<(typeof events)[number]>;
