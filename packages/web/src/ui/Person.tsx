import { Link } from 'wouter';
import { useDeployment } from '../lib/deployment.ts';
import { handleOf, nameOf, type Person as Shown, userPath } from '../lib/people.ts';

/** A user's picture; one that is drawn from the id where none is given. Decoration beside the name. */
export const Avatar = ({
  user,
  size = 's',
}: {
  user: Pick<Shown, 'id' | 'profile_picture'>;
  size?: 's' | 'm' | 'xl';
}) => {
  const { base } = useDeployment();
  const picture = user.profile_picture ?? `${base}/functions/v1/avatar/${user.id}.svg`;
  return <img className="avatar" data-size={size} src={picture} alt="" loading="lazy" decoding="async" />;
};

/** Somebody by name and picture: leads to their page. What strangers call themselves turns no text beside it. */
export const Person = ({ user, hasPicture = true }: { user: Shown; hasPicture?: boolean }) => {
  const handle = handleOf(user);
  return (
    <Link className="person" href={userPath(user)}>
      {hasPicture && <Avatar user={user} />}
      <span className="clip">
        <bdi>{nameOf(user)}</bdi>
        {handle !== null && <span className="muted"> {handle}</span>}
      </span>
    </Link>
  );
};
