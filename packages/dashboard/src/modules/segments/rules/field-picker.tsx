import { Combobox, Group, InputBase, Stack, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { FIELD_PREFIXES, type FieldPrefix } from '@contentflow/core/targeting/fields.ts'
import { useEffect, useState } from 'react'
import { useFormat } from '../../../format.ts'
import { holds } from '../../../fold.ts'
import { useRefusal } from '../../../refusals.ts'
import { useOccurringFields } from '../api.ts'
import { isFixedField, memberOf, offerFields, prefixOf, typedFields, type OfferedField } from './field-catalog.ts'
import { RULE_TEXTS, useRuleTexts } from './rule-texts.ts'
import { fieldWords, valueWords } from './rule-words.ts'
import { useTexts } from '../texts.ts'

type PickerProps = { field: string; error: boolean; onPick: (field: OfferedField) => void }

/** Picks the field of a row: known fields with sample values, every fixed field, and names typed by hand. */
export function FieldPicker({ field, error, onPick }: PickerProps) {
  const t = useTexts()
  const wording = { t: useRuleTexts(), format: useFormat() }
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownClose: () => (combobox.resetSelectedOption(), setSearch('')),
    onDropdownOpen: () => combobox.focusSearchInput(),
  })
  return (
    <Combobox
      store={combobox}
      width={360}
      position="bottom-start"
      onOptionSubmit={(value) => {
        onPick(JSON.parse(value) as OfferedField)
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button">
        <InputBase
          component="button"
          type="button"
          pointer
          error={error}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          aria-label={`${t('field')}: ${field === '' ? t('chooseField') : fieldWords(field, wording)}`}
          onClick={() => combobox.toggleDropdown()}
          styles={{ input: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } }}
        >
          {field === '' ? (
            <Text span size="sm" c="dimmed">
              {t('chooseField')}
            </Text>
          ) : (
            <Text span size="sm" fw={600}>
              {fieldWords(field, wording)}
            </Text>
          )}
        </InputBase>
      </Combobox.Target>
      <Combobox.Dropdown miw={280}>
        <Combobox.Search
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          placeholder={t('searchFields')}
          aria-label={t('searchFields')}
        />
        {combobox.dropdownOpened && <Options search={search} onFound={() => search.trim() !== '' && combobox.selectFirstOption()} />}
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** `onFound`: others are listed than before. */
function Options({ search, onFound }: { search: string; onFound: () => void }) {
  const t = useTexts()
  const say = useRefusal()
  const rules = useRuleTexts()
  const format = useFormat()
  // A field is found by its name in either language.
  const fieldWordings = RULE_TEXTS.map((t) => ({ t, format }))
  const [asked] = useDebouncedValue(search.trim(), 200)
  const { fields, error } = useOccurringFields(asked)
  const offered = offerFields(fields)
  const found = offered.filter(({ field }) => holds([...fieldWordings.map((each) => fieldWords(field, each)), field], search.trim()))
  const typed = typedFields(search).filter((field) => !offered.some((each) => each.field === field))
  const listed = [...found.map(({ field }) => field), ...typed].join(' ')
  useEffect(() => {
    if (listed !== '') onFound()
    // Only when other fields are listed.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [listed])
  return (
    <Combobox.Options aria-label={t('field')} mah={320} tabIndex={0} style={{ overflowY: 'auto' }}>
      {FIELD_PREFIXES.map((prefix) => {
        const members = found.filter((each) => prefixOf(each.field) === prefix)
        return members.length === 0 ? null : (
          <Combobox.Group key={prefix} label={rules(`group_${prefix}`)}>
            {members.map((each) => (
              <FieldOption key={each.field} offered={each} />
            ))}
          </Combobox.Group>
        )
      })}
      {typed.map((field) => (
        <Combobox.Option key={field} value={JSON.stringify({ field, kind: 'any', samples: [] } satisfies OfferedField)}>
          <Text size="sm">{typedWords(prefixOf(field), field, t)}</Text>
        </Combobox.Option>
      ))}
      {found.length === 0 && typed.length === 0 && <Combobox.Empty>{t('noField')}</Combobox.Empty>}
      {error && (
        <Text size="xs" c="dimmed" p="xs">
          {say(error)}
        </Text>
      )}
    </Combobox.Options>
  )
}

function FieldOption({ offered }: { offered: OfferedField }) {
  const t = useTexts()
  const rules = useRuleTexts()
  const wording = { t: rules, format: useFormat() }
  const { field, kind, samples, people } = offered
  const shown = samples.slice(0, 4).map((sample) => valueWords(field, sample, wording))
  return (
    <Combobox.Option value={JSON.stringify(offered)}>
      <Stack gap={0}>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          <Text size="sm" fw={600} truncate>
            {fieldWords(field, wording)}
          </Text>
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {rules(`kind_${kind}`)}
          </Text>
        </Group>
        {shown.length > 0 && (
          <Text size="xs" c="dimmed" truncate>
            {t('samples', { samples: shown.join(rules('comma')) })}
          </Text>
        )}
        {people !== undefined && !isFixedField(field) && (
          <Text size="xs" c="dimmed">
            {t('knownOf', { count: people })}
          </Text>
        )}
      </Stack>
    </Combobox.Option>
  )
}

function typedWords(prefix: FieldPrefix | undefined, field: string, t: ReturnType<typeof useTexts>): string {
  if (prefix === 'customAttributes') return t('useTrait', { name: memberOf(field) })
  if (prefix === 'enrichment') return t('useAttribute', { name: memberOf(field) })
  return t('useField', { name: field })
}
