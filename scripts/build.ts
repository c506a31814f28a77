/** `npm run build`: builds the web app ahead, for a production install, which has nothing to build it with (docs/running.md). */
import { keptBuild } from '../packages/web/build/kept.ts';

console.log(`The pages are built: ${await keptBuild('plain')}`);
