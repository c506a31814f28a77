-- What a day's budget has left is in the signing log; reports sum up the intents.
drop table budget_day;
