import { devAccounts } from '../src/accounts.ts';
import { startRelayer } from '../src/layerZero/relayer.ts';
import { layerZeroOf, localConfirmations } from '../src/layerZero/world.ts';

/** A relayer in a process of its own, to be killed: `node relayerProcess.ts <chains as JSON>`. */
const accounts = devAccounts();
const chains = JSON.parse(process.argv[2] ?? '[]');
startRelayer({ chains, layerZero: layerZeroOf(accounts), accounts, confirmations: localConfirmations, pollMs: 20 });
console.log('ready');
