/**
 * SQL that inserts a row into every table that is empty: with all columns if the table's checks allow that, else with those that need
 * a value. Several rounds, because rows refer to rows of other tables.
 */
export const fillEveryTable = String.raw`
  do $$
    declare t record; names text; vals text; filled boolean; every_column boolean;
    begin
      -- Views of notices refer to entities of this type.
      insert into entities (type, id, enabled, body) values ('notices', 'filled', false, '{}') on conflict do nothing;
      for round in 1..4 loop
        for t in select oid, oid::regclass as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
          foreach every_column in array array[true, false] loop
            execute format('select exists (select from %s)', t.name) into filled;
            if filled then continue; end if;
            select string_agg(quote_ident(attname), ', ' order by attnum), string_agg(coalesce(
                -- The first value that the column's own check names.
                (select quote_literal(substring(pg_get_constraintdef(oid) from '''([^'']+)''')) from pg_constraint
                  where conrelid = t.oid and contype = 'c' and conkey = array[a.attnum] and typname = 'text' limit 1),
                (select format('(select %I from %s limit 1)', f.attname, confrelid::regclass) from pg_constraint
                  join pg_attribute f on f.attrelid = confrelid and f.attnum = confkey[array_position(conkey, a.attnum)]
                  where conrelid = t.oid and contype = 'f' and a.attnum = any (conkey) limit 1),
                case
                  when typname in ('text', 'varchar', 'name') then quote_literal(E'line\n"tab\t\\ \u00e9\U0001f600')
                  when typname = 'bytea' then quote_literal('\x000aff5c')
                  when typcategory = 'N' then '1'
                  when typname = 'bool' then 'true'
                  when typcategory = 'D' then quote_literal('2026-02-03 04:05:06.789012+00')
                  when typname = 'interval' then quote_literal('1 day 00:00:01.5')
                  when typname = 'uuid' then quote_literal('00000000-0000-4000-8000-000000000001')
                  when typname in ('inet', 'cidr') then quote_literal('10.0.0.1')
                  when typname in ('json', 'jsonb') then quote_literal('{"b": 1, "a": [1.50, null]}')
                  when typcategory = 'A' then quote_literal('{}')
                  else 'null'
                end || '::' || format_type(atttypid, atttypmod)), ', ' order by attnum)
              into names, vals from pg_attribute a join pg_type on pg_type.oid = atttypid
              where attrelid = t.oid and attnum > 0 and not attisdropped and attgenerated = ''
                and (every_column or (attnotnull and not atthasdef));
            begin
              execute format('insert into %s (%s) overriding system value values (%s)', t.name, names, vals);
            exception when not_null_violation or foreign_key_violation or check_violation then null;
            end;
          end loop;
        end loop;
      end loop;
    end
  $$`;
