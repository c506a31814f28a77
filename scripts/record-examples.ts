/**
 * `npm run record:examples`: starts local chains and the service, makes every call of the list, and writes what was sent and what
 * came back to `packages/docs/generated/examples.json`, which the documentation shows. Run it after a change of an operation.
 */
import { type System, startSystem } from '@mintage/devnet';
import { chain, makeEveryCall, other } from './examples/everyCall.ts';
import { createRecorder } from './examples/recorder.ts';
import { writeGenerated } from './generated.ts';

/** As a reader's own service has it at first; what is neither the service nor a chain is the receiver of webhooks. */
const usualPort = ({ url, chains }: System, port: number): number => {
  if (url?.endsWith(`:${port}`)) return 8080;
  const place = chains.findIndex(({ rpcUrl }) => new URL(rpcUrl).port === String(port));
  return place === -1 ? 9000 : 8545 + place;
};

const system = await startSystem({ env: { CHAINS: `${chain},${other}`, LOG_LEVEL: 'error' } });
try {
  await system.caughtUp();
  const recorder = createRecorder(system.url ?? '');
  await makeEveryCall(system, recorder);
  const text = JSON.stringify(recorder.examples(), null, 1).replaceAll(/127\.0\.0\.1:(\d+)/g, (_, port: string) => {
    const shown = usualPort(system, Number(port));
    return `127.0.0.1:${shown}`;
  });
  writeGenerated(
    new URL('../packages/docs/generated/examples.json', import.meta.url),
    `${text}\n`,
    'scripts/record-examples.ts',
  );
} finally {
  await system.stop();
}
