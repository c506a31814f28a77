/** A picture as it will be sent: a data URI. */
export interface Picture {
  uri: string;
  name: string;
  bytes: number;
  /** Pixels. */
  width: number;
  height: number;
}

const maxImageBytes = 5_000_000;
export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];

/** Why a file is no picture that is taken here. */
export class PictureError extends Error {
  override name = 'PictureError';
  readonly why: 'type' | 'size' | 'broken';
  constructor(why: PictureError['why']) {
    super(why);
    this.why = why;
  }
}

/** Reads a file of the person, and looks at it once. @throws PictureError */
export const readPicture = async (file: File): Promise<Picture> => {
  if (!imageTypes.includes(file.type)) throw new PictureError('type');
  if (file.size > maxImageBytes) throw new PictureError('size');
  const uri = await dataUri(file);
  const image = new Image();
  image.src = uri;
  await image.decode().catch(() => {
    throw new PictureError('broken');
  });
  return { uri, name: file.name, bytes: file.size, width: image.naturalWidth, height: image.naturalHeight };
};

const dataUri = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(new PictureError('broken')));
    reader.readAsDataURL(file);
  });
