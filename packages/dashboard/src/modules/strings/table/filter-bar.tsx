import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core'
import { IconChevronDown, IconColumns3 } from '@tabler/icons-react'
import { usePages } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { FilterSelect } from '../../../ui/fields/filter-select.tsx'
import { SearchField } from '../../../ui/fields/search-field.tsx'
import type { Locale, Namespace } from '../api.ts'
import { STATUSES, type Filters } from './filters.ts'
import { useLanguageName } from '../language-name.ts'
import { useTexts } from '../texts.ts'

type FilterBarProps = { filters: Filters; columns: Locale[]; translated: Locale[]; onChange: (change: Partial<Filters>) => void }

/** Filters of the catalog and the choice of languages; to be placed in a row. */
export function FilterBar({ filters, columns, translated, onChange }: FilterBarProps) {
  const t = useTexts()
  const format = useFormat()
  const nameOf = useLanguageName()
  const namespaces = usePages<Namespace>('/strings/namespaces', 'namespaces', { limit: 200 }).items
  const [only] = columns
  return (
    <>
      <SearchField value={filters.q} onChange={(q) => onChange({ q })} label={t('searchStrings')} />
      {translated.length > 1 && <ColumnChoice columns={columns} translated={translated} onChange={(locales) => onChange({ locales })} />}
      {translated.length > 0 && (
        <FilterSelect
          label={columns.length === 1 && only ? t('statusIn', { language: nameOf(only) }) : t('statusInAny')}
          placeholder={t('anyStatus')}
          data={STATUSES.map((status) => ({ value: status, label: t(status) }))}
          value={filters.status}
          onChange={(value) => onChange({ status: STATUSES.find((status) => status === value) ?? '' })}
          width={170}
        />
      )}
      <FilterSelect
        label={t('namespace')}
        placeholder={t('everyNamespace')}
        data={namespaces.map(({ namespace, strings }) => ({ value: namespace, label: `${namespace} (${format.number(strings)})` }))}
        value={filters.namespace}
        onChange={(namespace) => onChange({ namespace })}
        width={170}
      />
      <FilterSelect
        label={t('sensor')}
        data={[
          { value: 'true', label: t('sensorIsOn') },
          { value: 'false', label: t('sensorIsOff') },
        ]}
        value={filters.sensor}
        onChange={(value) => onChange({ sensor: value === 'true' || value === 'false' ? value : '' })}
        width={140}
      />
      <FilterSelect
        label={t('visibility')}
        data={[
          { value: 'true', label: t('isHidden') },
          { value: 'false', label: t('isVisible') },
        ]}
        value={filters.hidden}
        onChange={(value) => onChange({ hidden: value === 'true' || value === 'false' ? value : '' })}
        width={130}
      />
    </>
  )
}

type ColumnChoiceProps = { columns: Locale[]; translated: Locale[]; onChange: (locales: string[]) => void }

/** Which languages have a column; at least one. */
function ColumnChoice({ columns, translated, onChange }: ColumnChoiceProps) {
  const t = useTexts()
  const nameOf = useLanguageName()
  const [only] = columns
  const codes = columns.map(({ code }) => code)
  return (
    <Popover position="bottom-start" trapFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          fw={400}
          w={{ base: 'calc(50% - 4px)', xs: 'auto' }}
          leftSection={<IconColumns3 size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {columns.length === 1 && only ? nameOf(only) : t('columnsChosen', { count: columns.length })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={320}>
          <Checkbox.Group aria-label={t('languages')} value={codes} onChange={onChange}>
            <Stack gap="xs">
              {translated.map((locale) => (
                <Checkbox
                  key={locale.code}
                  value={locale.code}
                  label={nameOf(locale)}
                  disabled={columns.length === 1 && only?.code === locale.code}
                />
              ))}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  )
}
