import type { Selectable } from 'kysely';
import type { TellerTable } from '../../db/serviceTables.ts';

/** How far users and streams have been told. */
export type Teller = Selectable<TellerTable>;
