import { keccak256, stringToBytes } from 'viem';

/** A token's logo without a designer: rings and a sail in its colour, turned by its symbol. An SVG data URI. */
export const pictureOf = ({ symbol, colour }: { symbol: string; colour: string }): string => {
  const [turn = 0, size = 0, shade = 0] = keccak256(stringToBytes(symbol), 'bytes');
  const radius = 120 + (size % 80);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">
<rect width="512" height="512" fill="${colour}"/>
<circle cx="256" cy="256" r="${radius}" fill="none" stroke="#fff" stroke-width="28"/>
<g transform="rotate(${(turn * 360) >> 8} 256 256)">
<path d="M256 ${256 - radius} L${256 + radius} 256 L256 ${256 + radius} Z" fill="#fff" fill-opacity="0.${4 + (shade % 5)}"/>
</g></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
};
