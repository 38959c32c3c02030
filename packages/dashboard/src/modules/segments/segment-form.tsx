import { Grid, MultiSelect, Paper, Select, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { LIMITS } from '@contentflow/core/limits.ts'
import { UPDATE_FREQUENCIES } from '@contentflow/core/targeting/frequency.ts'
import { useState, type ReactNode } from 'react'
import { ApiError } from '../../api.ts'
import { useRead } from '../../data.ts'
import { useOccurringFields, usePreview, type Segment } from './api.ts'
import { PreviewPanel } from './preview-panel.tsx'
import { RuleGroup } from './rules/rule-group.tsx'
import { keyAt, toRules, type DraftGroup } from './rules/rule-tree.ts'
import { hasName, hasWholeRules, type SegmentDraft } from './segment-draft.ts'
import { useTexts } from './texts.ts'

type FormProps = {
  draft: SegmentDraft
  onChange: (draft: SegmentDraft) => void
  /** The name it is stored under; undefined for a new one. */
  storedName: string | undefined
  /** Saving was tried, so missing parts are marked. */
  isChecked: boolean
  isNameTaken: boolean
  /** Shown after the rows and settings. */
  children?: ReactNode
}

/** The rows with, beside them, who they hold for just now. */
export function SegmentForm({ draft, onChange, storedName, isChecked, isNameTaken, children }: FormProps) {
  const isWhole = hasWholeRules(draft)
  const [asked] = useDebouncedValue(isWhole ? { ...toRules(draft.root), excludedSegments: draft.excluded } : undefined, 400)
  const preview = usePreview(isWhole ? asked : undefined)
  const { fields } = useOccurringFields('')
  const refused = refusedPart(draft.root, preview.error)
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack>
          <Paper withBorder p="md">
            <NameField {...{ draft, onChange, storedName, isChecked, isNameTaken }} />
          </Paper>
          <Paper withBorder p={{ base: 'sm', sm: 'md' }}>
            <RuleGroup
              group={draft.root}
              depth={0}
              root={draft.root}
              onChange={(root) => onChange({ ...draft, root })}
              fields={fields}
              refused={refused}
              isChecked={isChecked}
            />
          </Paper>
          <Paper withBorder p="md">
            <Stack>
              <ExcludedField draft={draft} onChange={onChange} storedName={storedName} />
              <FrequencyField draft={draft} onChange={onChange} />
            </Stack>
          </Paper>
          {children}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <div style={{ position: 'sticky', insetBlockStart: 72 }}>
          <PreviewPanel
            preview={preview.data}
            isLoading={preview.isLoading}
            isOld={preview.isFetching}
            isWhole={isWhole && !refused}
            error={refused ? null : preview.error}
            onRetry={() => void preview.refetch()}
          />
        </div>
      </Grid.Col>
    </Grid>
  )
}

/** The row that the server finds fault with, and why. */
function refusedPart(root: DraftGroup, error: Error | null): { key: string; text: string } | undefined {
  const fault = error instanceof ApiError ? error.rule : undefined
  const key = fault && keyAt(root, fault.path)
  return key === undefined ? undefined : { key, text: fault?.reason ?? '' }
}

function NameField({ draft, onChange, storedName, isChecked, isNameTaken }: FormProps) {
  const t = useTexts()
  const isRenamed = storedName !== undefined && draft.name !== storedName && draft.name.trim() !== ''
  const error = isNameTaken ? t('nameTaken') : isChecked && !hasName(draft) ? t('nameMissing') : undefined
  return (
    <TextInput
      label={t('name')}
      description={isRenamed ? t('nameChanged', { name: storedName }) : t('nameHelp')}
      required
      maxLength={LIMITS.segmentNameLength}
      value={draft.name}
      onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      error={error}
    />
  )
}

function ExcludedField({ draft, onChange, storedName }: Pick<FormProps, 'draft' | 'onChange' | 'storedName'>) {
  const t = useTexts()
  const [search, setSearch] = useState('')
  const [asked] = useDebouncedValue(search.trim(), 200)
  const found = useRead<{ segments: Segment[] }>('/segments', { search: asked, limit: 50 }).data?.segments ?? []
  const names = new Set([...draft.excluded, ...found.map(({ name }) => name)])
  if (storedName !== undefined) names.delete(storedName)
  return (
    <MultiSelect
      label={t('excluded')}
      description={t('excludedHelp')}
      placeholder={draft.excluded.length === 0 ? t('excludedNone') : undefined}
      data={[...names]}
      value={draft.excluded}
      onChange={(excluded) => onChange({ ...draft, excluded })}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
    />
  )
}

function FrequencyField({ draft, onChange }: Pick<FormProps, 'draft' | 'onChange'>) {
  const t = useTexts()
  return (
    <Select
      label={t('frequency')}
      description={t(`frequencyHelp_${draft.frequency}`)}
      data={UPDATE_FREQUENCIES.map((frequency) => ({ value: frequency, label: t(`frequency_${frequency}`) }))}
      value={draft.frequency}
      onChange={(next) => onChange({ ...draft, frequency: UPDATE_FREQUENCIES.find((each) => each === next) ?? draft.frequency })}
      allowDeselect={false}
      maw={320}
    />
  )
}
