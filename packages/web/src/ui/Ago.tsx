import { ago } from '../lib/format.ts';
import { useNow } from '../lib/now.ts';

/** How long ago something was; the moment itself on hover. */
export const Ago = ({ at }: { at: string }) => (
  <time className="nowrap" dateTime={at} title={new Date(at).toISOString()}>
    {ago(Date.parse(at), useNow())}
  </time>
);
