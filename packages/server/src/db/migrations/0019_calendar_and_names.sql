-- How the workspace counts its days: {timeZone, firstDayOfWeek, weekend, hijri}; null until somebody says.
alter table workspaces add column calendar jsonb;

-- Words of names, and their consonants behind a mark: people are found by any word of their name, in Latin or Arabic
-- letters (core/identity/search-names.ts). A person who is rewritten with the same name stays out of it.
create index profiles_find_name_words on profiles using gin (to_tsvector('simple',
  translate(lower(name), U&'\0623\0625\0622\0629\0649\0640\064b\064c\064d\064e\064f\0650\0651\0652', U&'\0627\0627\0627\0647\064a') || ' ' ||
  regexp_replace(regexp_replace(regexp_replace(translate(
    regexp_replace(regexp_replace(lower(name), '([sktdg])h', '\1', 'g'), U&'(^|[ -])\0627\0644', '\1', 'g'),
    U&'\0628p\067e\062a\062b\0637\062cg\063a\062d\062e\0643\0642qc\062f\0630\0636\0631\0632\0638\0633\0634\0635\0641v\06a4\0644\0645\0646\0647aeiouwy\0627\0623\0625\0622\0649\0648\064a\0621\0626\0624\0629\0639\0640\064b\064c\064d\064e\064f\0650\0651\0652', 'bbbtttjjjhkkkkkdddrzzsssffflmnh'),
    '(.)\1+', '\1', 'g'), 'h($|[ -])', '\1', 'g'), '(^|[ -])([a-z])', '\1zq\2', 'g'))) where name is not null;
