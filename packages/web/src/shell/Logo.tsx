import { logo as ours } from '@mintage/brand/logo';
import { useDeployment } from '../lib/deployment.ts';

/** The deployment's logo, or ours: a coin with a reeded edge. */
export const Logo = () => {
  const { logo } = useDeployment();
  if (logo !== null) return <img className="logo-own" src={logo} alt="" width="26" height="26" />;
  // Our own markup.
  return <span className="logo-mark" dangerouslySetInnerHTML={{ __html: ours }} />;
};
