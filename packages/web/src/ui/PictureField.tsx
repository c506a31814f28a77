import { type DragEvent, useEffect, useRef, useState } from 'react';
import { decimal } from '../lib/format.ts';
import { imageTypes, type Picture, PictureError, readPicture } from '../lib/readPicture.ts';
import * as t from '../messages/en/common.ts';
import { Button } from './Button.tsx';
import { Icon } from './icons.tsx';

/** A picture by file, by drop, or for the first one by paste anywhere on the page. Shown as it will be sent. */
export const PictureField = ({
  label,
  picture,
  isBanner = false,
  isDisabled,
  problem,
  onChange,
}: {
  label: string;
  picture: Picture | null;
  isBanner?: boolean;
  isDisabled: boolean;
  problem?: string | undefined;
  onChange(picture: Picture | null): void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  const [wrong, setWrong] = useState<PictureError['why'] | null>(null);
  const [isOver, setOver] = useState(false);
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined || isDisabled) return;
    try {
      onChange(await readPicture(file));
      setWrong(null);
    } catch (error) {
      if (!(error instanceof PictureError)) throw error;
      setWrong(error.why);
    }
  };
  const newest = useRef(take);
  newest.current = take;
  useEffect(() => {
    if (isBanner) return;
    const onPaste = ({ clipboardData }: ClipboardEvent): void => {
      const files = [...(clipboardData?.files ?? [])];
      void newest.current(files.find(({ type }) => imageTypes.includes(type)) ?? files[0]);
    };
    addEventListener('paste', onPaste);
    return () => removeEventListener('paste', onPaste);
  }, [isBanner]);
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(over);
  };
  const said = wrong === null ? problem : t.picture.wrong[wrong];
  return (
    // The drop is a second way: the button beside does the same by keys.
    <div
      className="drop"
      data-over={isOver ? '' : undefined}
      data-banner={isBanner ? '' : undefined}
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={(event) => {
        drag(false)(event);
        void take(event.dataTransfer?.files[0]);
      }}
    >
      {picture !== null && isBanner && <img className="banner" src={picture.uri} alt="" />}
      {!isBanner && (
        <span className="coin" data-size="xl" data-plain={picture === null ? '' : undefined}>
          {picture === null ? (
            <i className="letter" aria-hidden="true">
              <Icon name="image" />
            </i>
          ) : (
            <img src={picture.uri} alt="" />
          )}
        </span>
      )}
      <div className="grow">
        <div className="lab clip">{picture?.name ?? label}</div>
        <div className={said === undefined ? 'hint' : 'hint down'} role={said === undefined ? undefined : 'alert'}>
          {said ??
            (picture === null
              ? isBanner
                ? t.picture.bannerHint
                : t.picture.hint
              : t.picture.facts(
                  decimal(String(picture.width), 0),
                  decimal(String(picture.height), 0),
                  sizeOf(picture.bytes),
                ))}
        </div>
      </div>
      <input
        ref={input}
        className="sr"
        type="file"
        tabIndex={-1}
        aria-label={label}
        accept={imageTypes.join(',')}
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <Button
        disabled={isDisabled}
        aria-label={picture === null ? t.picture.choose(label) : t.picture.replace(label)}
        onClick={() => input.current?.click()}
      >
        {picture === null ? t.picture.chooseShort : t.picture.replaceShort}
      </Button>
    </div>
  );
};

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
