import { Badge, Button, Checkbox, Group, NativeSelect, Paper, Stack, TagsInput, Text, TextInput, Title } from '@mantine/core'
import { memo, useCallback, useState } from 'react'
import { COLUMN_TYPES, type ColumnType } from '@contentflow/core/imports/mapping.ts'
import { useFormat } from '../../../format.ts'
import { useAllSources } from '../use-sources.ts'
import { missingColumns, nameFaultOf, withSource, type Draft, type DraftColumn } from './draft.ts'
import { DateOrder } from './date-order.tsx'
import { IdentityFields } from './identity-fields.tsx'
import type { OpenFile } from './file/open-file.ts'
import { useImportTexts } from './texts.ts'
import classes from './import.module.css'

type ColumnsFormProps = {
  file: OpenFile
  draft: Draft
  onDraft: (change: (before: Draft) => Draft) => void
}

/** How many columns are shown first; the others of a wide file on request. */
const SHOWN_FIRST = 40

/** The meaning of the columns of a file: suggested, taken from a saved source, and changed by hand. */
export function ColumnsForm({ file, draft, onDraft }: ColumnsFormProps) {
  const t = useImportTexts()
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  const changeColumn = useCallback(
    (column: string, part: Partial<DraftColumn>) =>
      onDraft((before) => ({ ...before, columns: before.columns.map((one) => (one.column === column ? { ...one, ...part } : one)) })),
    [onDraft],
  )
  const { samples, notes } = file.shape
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Stack gap={4}>
          <Title order={2}>{t('columns')}</Title>
          <Text size="sm" c="dimmed" maw={720}>
            {t('columnsText')}
          </Text>
        </Stack>
        <SourceChoice file={file} onDraft={onDraft} />
        <IdentityFields file={file} draft={draft} onDraft={onDraft} />
        <ul className={classes.columns} aria-label={t('columns')}>
          {draft.columns.slice(0, isWhole ? undefined : SHOWN_FIRST).map((column, at) => (
            <ColumnRow
              key={column.column}
              column={column}
              samples={samples[at] ?? NONE}
              shortened={notes[at]?.shortened ?? 0}
              isIdentity={column.column === draft.identity.column}
              fault={nameFaultOf(column, draft.columns)}
              onChange={changeColumn}
            />
          ))}
        </ul>
        {!isWhole && draft.columns.length > SHOWN_FIRST && (
          <Button variant="default" onClick={() => setWhole(true)} style={{ alignSelf: 'start' }}>
            {t('allColumns', { number: format.number(draft.columns.length) })}
          </Button>
        )}
      </Stack>
    </Paper>
  )
}

const NONE: string[] = []

function SourceChoice({ file, onDraft }: Pick<ColumnsFormProps, 'file' | 'onDraft'>) {
  const t = useImportTexts()
  const format = useFormat()
  const sources = useAllSources()
  const [sourceId, setSourceId] = useState('')
  if (sources.length === 0) return null
  const chosen = sources.find(({ id }) => id === sourceId)
  const missing = chosen ? missingColumns(chosen.mapping, file.shape.header) : []
  const choose = (id: string) => {
    setSourceId(id)
    const source = sources.find((one) => one.id === id)
    if (source) onDraft((before) => withSource(before, source.mapping))
  }
  return (
    <Stack gap={6}>
      <NativeSelect
        label={t('savedSource')}
        maw={420}
        value={sourceId}
        data={[{ value: '', label: t('noSource') }, ...sources.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {missing.length > 0 && (
        <Text size="sm" c="orange" role="status">
          {t('missingColumns', { count: missing.length, names: format.list(missing.slice(0, 4)) })}
        </Text>
      )}
    </Stack>
  )
}

type ColumnRowProps = {
  column: DraftColumn
  samples: readonly string[]
  /** Cells whose last digits Excel left out. */
  shortened: number
  isIdentity: boolean
  fault: ReturnType<typeof nameFaultOf>
  onChange: (column: string, part: Partial<DraftColumn>) => void
}

/** One column. Rendered again only when it changes, because a file can have hundreds. */
const ColumnRow = memo(function ColumnRow({ column, samples, shortened, isIdentity, fault, onChange }: ColumnRowProps) {
  const t = useImportTexts()
  const format = useFormat()
  const { column: heading, name, type, include, pii } = column
  const change = (part: Partial<DraftColumn>) => onChange(heading, part)
  return (
    <li className={classes.column} data-included={include || undefined}>
      <div className={classes.heading}>
        <Checkbox
          checked={include}
          onChange={({ currentTarget }) => change({ include: currentTarget.checked })}
          label={
            <Text span fw={600} size="sm" dir="auto" style={{ overflowWrap: 'anywhere' }}>
              {heading}
            </Text>
          }
          aria-label={t('importColumn', { column: heading })}
        />
        <Group gap={6}>
          {isIdentity && (
            <Badge variant="light" color="blue" tt="none" radius="sm">
              {t('identityMark')}
            </Badge>
          )}
          {pii && !include && (
            <Badge variant="light" color="orange" tt="none" radius="sm">
              {t('personal')}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed" lineClamp={2} dir="auto" className="cf-foreign" style={{ overflowWrap: 'anywhere' }}>
          {samples.length > 0 ? samples.join(' · ') : t('emptyColumn')}
        </Text>
        {include && !isIdentity && shortened > 0 && (
          <Text size="xs" c="orange" role="status">
            {t('shortened', { count: shortened, number: format.number(shortened), column: heading })}
          </Text>
        )}
      </div>
      {include && (
        <div className={classes.fields}>
          <TextInput
            label={t('attribute')}
            aria-label={t('attributeOf', { column: heading })}
            value={name}
            maxLength={64}
            dir="auto"
            error={fault && t(fault)}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
          />
          <NativeSelect
            label={t('type')}
            aria-label={t('typeOf', { column: heading })}
            value={type}
            data={COLUMN_TYPES.map((value) => ({ value, label: t(`type_${value}`) }))}
            onChange={({ currentTarget }) => change({ type: currentTarget.value as ColumnType })}
          />
          <Checkbox
            label={t('personal')}
            aria-label={t('personalOf', { column: heading })}
            checked={pii}
            onChange={({ currentTarget }) => change({ pii: currentTarget.checked })}
          />
          {type === 'date' && <DateOrder column={column} samples={samples} onChange={change} />}
          {type === 'enum' && (
            <TagsInput
              className={classes.wide}
              label={t('allowed')}
              description={t('allowedText')}
              value={column.enumValues}
              onChange={(enumValues) => change({ enumValues })}
              data={[...samples]}
            />
          )}
          <Labels column={column} onChange={change} />
        </div>
      )}
    </li>
  )
})

/** The label of the attribute in lists, where its name is not what people call it. */
function Labels({ column: { column, label }, onChange }: { column: DraftColumn; onChange: (part: Partial<DraftColumn>) => void }) {
  const t = useImportTexts()
  const [isOpen, setOpen] = useState(label.en !== undefined || label.ar !== undefined)
  if (!isOpen)
    return (
      <Button variant="subtle" size="compact-sm" mb={5} aria-label={t('addLabelOf', { column })} onClick={() => setOpen(true)}>
        {t('addLabel')}
      </Button>
    )
  return (
    <Group gap="sm" className={classes.wide} align="end">
      {(['en', 'ar'] as const).map((language) => (
        <TextInput
          key={language}
          label={t(`label_${language}`)}
          aria-label={t(`labelOf_${language}`, { column })}
          value={label[language] ?? ''}
          maxLength={200}
          dir={language === 'ar' ? 'rtl' : 'ltr'}
          lang={language}
          onChange={({ currentTarget }) => onChange({ label: { ...label, [language]: currentTarget.value } })}
        />
      ))}
    </Group>
  )
}
