import { useQueryClient } from '@tanstack/react-query';
import { type ClipboardEvent, type FormEvent, useRef, useState } from 'react';
import { apiOf } from '../../lib/api.ts';
import { readPeopleAgain, useViewer } from '../../lib/peopleQueries.ts';
import { imageTypes, type Picture, PictureError, readPicture } from '../../lib/readPicture.ts';
import { useAct } from '../../lib/useAct.ts';
import * as t from '../../messages/en/people.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Problem } from '../../ui/Problem.tsx';
import { SignInLink } from '../../ui/SignInLink.tsx';

const mostPictures = 4;

/** Characters, as the service counts them. */
const most = { post: 2_000, comment: 1_000 };

/** Where somebody writes a post, or a comment on one. What was typed stays until it is posted. */
export const Composer = ({ tokenId, parentId, label }: { tokenId?: string; parentId?: string; label: string }) => {
  const client = useQueryClient();
  const viewer = useViewer();
  const act = useAct();
  const [text, setText] = useState('');
  const [pictures, setPictures] = useState<readonly Picture[]>([]);
  const [wrong, setWrong] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const limit = most[parentId === undefined ? 'post' : 'comment'];
  const length = [...text.trim()].length;
  const isBusy = act.doing !== null;
  const isEmpty = length === 0 && pictures.length === 0;

  const add = async (files: readonly File[]): Promise<void> => {
    setWrong(pictures.length + files.length > mostPictures ? t.posts.mostPictures : null);
    for (const file of files.slice(0, mostPictures - pictures.length)) {
      try {
        const picture = await readPicture(file);
        setPictures((now) => (now.length < mostPictures ? [...now, picture] : now));
      } catch (error) {
        if (!(error instanceof PictureError)) throw error;
        setWrong(t.picture.wrong[error.why]);
      }
    }
  };
  const paste = (event: ClipboardEvent): void => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void add(files);
  };
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy || isEmpty || length > limit) return;
    setSent(false);
    const isDone = await act.run(t.posts.sending, async (say) => {
      const api = apiOf(client);
      const media: string[] = [];
      for (const [at, { uri }] of pictures.entries()) {
        say(t.posts.storing(at + 1, pictures.length));
        const stored = await api.uploadMedia({ data: uri, kind: 'image' });
        media.push(`ipfs://${stored.media.cid}`);
      }
      say(t.posts.sending);
      await api.createPost({
        text,
        ...(media.length > 0 && { media }),
        ...(parentId === undefined ? tokenId !== undefined && { taggedCoinId: tokenId } : { parent_id: parentId }),
      });
    });
    if (!isDone) return;
    setText('');
    setPictures([]);
    setSent(true);
    await readPeopleAgain(client);
  };
  return (
    <form className="composer" noValidate onSubmit={(event) => void send(event)} onPaste={paste}>
      <TextField
        label={label}
        dir="auto"
        value={text}
        disabled={isBusy}
        problem={length > limit ? t.posts.tooLong(limit) : (wrong ?? undefined)}
        hint={t.posts.length(length, limit)}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setSent(false);
        }}
      />
      {pictures.length > 0 && (
        <ul className="picked">
          {pictures.map((picture, at) => (
            <li key={`${picture.name} ${picture.bytes}`}>
              <img src={picture.uri} alt="" />
              <Button
                size="s"
                isIcon
                aria-label={t.posts.removePicture(picture.name)}
                disabled={isBusy}
                onClick={() => setPictures(pictures.filter((_, place) => place !== at))}
              >
                <Icon name="x" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="row between wrap">
        <Button size="s" disabled={isBusy || pictures.length >= mostPictures} onClick={() => input.current?.click()}>
          <Icon name="image" />
          {t.posts.addPictures}
        </Button>
        <input
          ref={input}
          className="sr"
          type="file"
          multiple
          tabIndex={-1}
          aria-label={t.posts.addPictures}
          accept={imageTypes.join(',')}
          onChange={({ currentTarget }) => {
            void add([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
        <span className="hint grow" role="status">
          {act.doing ?? (isSent ? t.posts.sent : '')}
        </span>
        {viewer === null ? (
          <SignInLink kind="ink">{t.posts.signInToPost}</SignInLink>
        ) : (
          <Button kind="ink" type="submit" disabled={isBusy || isEmpty || length > limit}>
            {parentId === undefined ? t.posts.send : t.posts.sendComment}
          </Button>
        )}
      </div>
      {act.error !== null && <Problem error={act.error} />}
    </form>
  );
};
