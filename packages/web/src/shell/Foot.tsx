import { useQuery } from '@tanstack/react-query';
import { chains } from '../lib/queries.ts';
import { useDeployment } from '../lib/deployment.ts';
import { t } from '../messages/t.ts';
import { ThemeButton } from './ThemeButton.tsx';

export const Foot = () => {
  const { base } = useDeployment();
  const { data } = useQuery(chains());
  const live = data?.chains.filter(({ status }) => status === 'live').length;
  return (
    <footer className="foot">
      <div>
        {data !== undefined && live !== undefined && (
          <span className="row">
            <i className="dot" data-tone={live === data.chains.length ? 'up' : 'down'} />
            {t.foot.live(live, data.chains.length)}
          </span>
        )}
        <a className="link" href={`${base}/solvency`}>
          {t.foot.solvency}
        </a>
        <a className="link" href={`${base}/docs`}>
          {t.foot.docs}
        </a>
        <ThemeButton />
      </div>
    </footer>
  );
};
