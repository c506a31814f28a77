/** The token that the demo creates. Its logo is an orange square. */
export const demoFox = {
  name: 'Demo Fox',
  symbol: 'DFOX',
  description: 'Made by the demo.',
  image:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  links: { website: 'https://fox.example' },
};
