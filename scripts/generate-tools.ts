/**
 * Writes docs/generated/tools.json: the specification's six tools as the tool server lists them, so that a change of what assistants
 * rely on is seen in review. `--check` fails when the file is not what the operations say.
 */
import { specifiedToolChains } from '@mintage/protocol/tools';
import { createToolSet } from '../packages/server/src/api/surfaces/tools/toolSet.ts';
import { writeGenerated } from './generated.ts';

const six = createToolSet(specifiedToolChains).list.slice(0, 6);
const body = `${JSON.stringify(six, null, 2)}\n`;
writeGenerated(new URL('../docs/generated/tools.json', import.meta.url), body, 'scripts/generate-tools.ts');
