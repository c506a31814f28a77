import type { Row } from '../../../db/chainTables.ts';

/** One line of the outbox. `data` is as the wire has it, with `platform_id`. */
export type StreamEvent = Omit<Row<'stream_event'>, 'data' | 'retracted' | 'created_at'> & {
  data: Readonly<Record<string, unknown>>;
  /** What clients get in place of `data`, by which filters match: for what is shown as it is now. */
  shown?: Readonly<Record<string, unknown>>;
};
