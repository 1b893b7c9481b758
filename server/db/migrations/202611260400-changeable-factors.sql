-- Improvements were offered for every factor of the section on safety; now a field says whether its owner can change
-- it.
-- Stored forms of games that do not ship with the product keep what they offered.
update games set config = jsonb_set(config, '{fields}', (
  select jsonb_agg(case when field ->> 'role' = 'factor' and field ->> 'group' = 'risk'
    then field || '{"changeable": true}' else field end order by place)
  from jsonb_array_elements(config -> 'fields') with ordinality as fields (field, place)))
  where config @> '{"fields": [{"role": "factor", "group": "risk"}]}'
  and not config @> '{"fields": [{"changeable": true}]}';
