/** An indexer as a process of its own, which tests may kill: everything but the API, on a chain that runs already. */
import { startSystem } from '@mintage/devnet';

await startSystem({ env: { ...process.env, ROLES: 'indexer', DEVNET: '0', LOG_LEVEL: 'silent' } });
process.once('disconnect', () => process.exit());
process.send?.('started');
