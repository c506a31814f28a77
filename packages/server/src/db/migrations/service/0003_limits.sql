-- Premium users have a larger allowance of requests.
alter table app_user add column premium boolean not null default false;
