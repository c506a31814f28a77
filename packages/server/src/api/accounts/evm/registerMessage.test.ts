import { describe, expect, it } from 'vitest';
import { readRegisterMessage } from './registerMessage.ts';

const address = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B';
const timestamp = 1_893_456_000_123;
const short = `AcmePad register\naddress: ${address}\ntimestamp: ${timestamp}`;
const long = `app.acmepad.example wants you to sign in with your Ethereum account:
${address}

AcmePad register timestamp: ${timestamp}

URI: https://app.acmepad.example
Version: 1
Chain ID: 1
Nonce: ${timestamp}
Issued At: ${new Date(timestamp).toISOString()}`;

const read = (message: string) => readRegisterMessage(message, 'Acme Pad');

describe('readRegisterMessage', () => {
  it.each([
    ['three lines', short],
    ['three lines with the display name', short.replace('AcmePad', 'Acme Pad')],
    ['three lines, lower case', short.replace(address, address.toLowerCase())],
    ['three lines, upper case', short.replace(address, address.toUpperCase().replace('0X', '0x'))],
    ['a backslash and an n in the place of a line break', short.replaceAll('\n', '\\n')],
    ['line breaks of Windows', short.replaceAll('\n', '\r\n')],
    ['EIP-4361', long],
    ['EIP-4361 with the display name', long.replace('AcmePad register', 'Acme Pad register')],
    ['EIP-4361, lower case', long.replace(address, address.toLowerCase())],
    ['EIP-4361 with an end', `${long}\nExpiration Time: ${new Date(timestamp + 1).toISOString()}`],
  ])('default: %s', (_, message) => {
    expect(read(message)).toEqual({ address: address.toLowerCase(), timestamp });
  });

  it.each([
    ['another platform', short.replace('AcmePad', 'Evil')],
    ['another platform in EIP-4361', long.replace('AcmePad register', 'Evil register')],
    ['another act', short.replace('register', 'transfer')],
    ['no address line', short.replace(/\naddress.*/, '')],
    ['no address in EIP-4361', long.replace(`${address}\n`, '')],
    ['an address that is too long', short.replace(address, `${address}00`)],
    ['text before the timestamp', short.replace('timestamp:', 'junk timestamp:')],
    ['text before the statement', long.replace('AcmePad register', 'I agree to all. AcmePad register')],
    ['text after the timestamp', short.replace(String(timestamp), `${timestamp} and more`)],
    ['seconds', short.replace(String(timestamp), String(timestamp).slice(0, 10))],
    ['a line more', `${short}\nand more`],
    ['a line before', `Hello\n${short}`],
    ['nothing', ''],
  ])('error: %s', (_, message) => {
    expect(read(message)).toBeNull();
  });
});
