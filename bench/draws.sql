-- What generated data draws from: every draw is a hash of its number, so each run makes the same rows.

create function pg_temp.uniform(number bigint, salt bigint) returns double precision immutable language sql as
  $$ select ((hashint8extended(number, salt) >> 8) & 4503599627370495) / 4503599627370496::double precision $$;
-- 0 to n - 1, the k-th with a density of 1 / k.
create function pg_temp.zipf(number bigint, salt bigint, n bigint) returns bigint immutable language sql as
  $$ select least(n - 1, floor(exp(pg_temp.uniform(number, salt) * ln(n)))::bigint - 1) $$;
