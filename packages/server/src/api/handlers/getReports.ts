import { definitions } from '@mintage/protocol/operations';
import { openReports } from '../people/reports.ts';
import { handler } from './handler.ts';

export const getReports = handler(definitions.getReports, openReports);
