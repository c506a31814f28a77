-- An intent is one trace from its request to the final block: docs/decisions/0072-watching.md

-- W3C traceparent of the request; null: not traced.
alter table intent add column traceparent text;
