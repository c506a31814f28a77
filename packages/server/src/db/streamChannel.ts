/** Channel on which new events are announced: `{"tokenActivity": 1893456000017}`, topics and their newest numbers. */
export const streamChannel = 'mintage_stream';
