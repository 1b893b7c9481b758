-- `required: "READ"` of stored forms becomes a field of its own; stored copies of reports' forms are never asked.
update games set config = jsonb_set(config, '{fields}', (
  select jsonb_agg(case when field ->> 'required' = 'READ'
    then field || '{"required": false, "requiredForCollection": true}' else field end order by place)
  from jsonb_array_elements(config -> 'fields') with ordinality as fields (field, place)))
  where config @> '{"fields": [{"required": "READ"}]}';
