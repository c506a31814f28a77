import type { PageModule } from '../lib/route.ts';
import * as t from '../messages/en/common.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';

const NotFound = () => (
  <>
    <div className="hero">
      <h1>{t.notFound.title}</h1>
    </div>
    <section className="card">
      <Empty
        act={
          <ButtonLink kind="ink" href="/">
            {t.notFound.act}
          </ButtonLink>
        }
      >
        {t.notFound.text}
      </Empty>
    </section>
  </>
);
export default NotFound;

export const prepare: PageModule['prepare'] = () => ({
  title: t.notFound.title,
  description: t.notFound.text,
  isHidden: true,
});
