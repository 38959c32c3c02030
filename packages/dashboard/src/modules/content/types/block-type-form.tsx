import { Autocomplete, Button, Group, List, Paper, Select, SimpleGrid, Stack, Switch, Text, TextInput, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { blockKeyFault, DESIGN_TYPES, parseDefinition, type DesignType } from '@contentflow/core/blocks/definition.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { usePages, useWrite } from '../../../data.ts'
import { useFormat } from '../../../format.ts'
import { useSession } from '../../../session.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { FoundWork, useFoundWork, useKeepWork } from '../../../ui/unsaved/use-kept-work.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import { typePath, type BlockType } from '../api.ts'
import { FieldEditor } from './field-editor.tsx'
import { blankDraft, faultsOf, keyFrom, risksOf, toDraft, toField, type FieldDraft } from './fields-form.ts'
import { useTypeTexts } from './type-texts.ts'
import { useAll } from '../use-all.ts'

/** The values of the form besides the fields. */
type BlockTypeHeader = { name: string; key: string; screen: string; designType: DesignType | null; inCampaigns: boolean }

/** Makes a block type, or changes the one that is stored. */
export function BlockTypeForm({ stored, cancelPath }: { stored: BlockType | undefined; cancelPath: string }) {
  const t = useTypeTexts()
  const { workspace } = useSession()
  const navigate = useNavigate()
  const types = useAll(usePages<BlockType>('/blocks', 'blocks', { limit: 200 }), LIMITS.definitionsPerManifest)
  const thing = `type/${stored?.key ?? 'new'}`
  const found = useFoundWork<{ head: BlockTypeHeader; fields: FieldDraft[] }>(thing)
  const [head, setHead] = useState<BlockTypeHeader>(() => found?.value.head ?? headOf(stored))
  const [isKeyTyped, setKeyTyped] = useState(found !== undefined)
  const first = () => (stored ? stored.fields.map(toDraft) : [blankDraft('new-1')])
  const [fields, setFields] = useState<FieldDraft[]>(() => found?.value.fields ?? first())
  const [isChecked, setChecked] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [savedKey, setSavedKey] = useState<string>()
  const isDirty = JSON.stringify([head, fields]) !== JSON.stringify([headOf(stored), first()])
  const { forget } = useKeepWork(thing, isDirty && savedKey === undefined ? { head, fields } : undefined)

  const body = { ...head, name: head.name.trim(), fields: fields.map(toField) }
  const parsed = parseDefinition(body)
  const keyFault = stored ? undefined : blockKeyFault(head.key)
  const isNameless = head.name.trim() === ''
  const isFaulty = isNameless || keyFault !== undefined || fields.some((field) => faultsOf(field).length > 0)
  const risks = stored ? risksOf(stored.fields, fields) : []
  const save = useWrite<void, BlockType>(
    () => (stored ? { path: `/blocks/${stored.key}`, method: 'PUT', body } : { path: '/blocks', method: 'POST', body }),
    { stale: ['/blocks', '/instances', '/content'], done: t(stored ? 'saved' : 'created'), showsError: true },
  )
  const send = () => save.mutate(undefined, { onSuccess: ({ key }) => setSavedKey(key), onSettled: () => setAsking(false) })
  // Only after the guard below knows that everything is saved.
  useEffect(() => {
    if (savedKey) void navigate(typePath(workspace.id, savedKey), { replace: true })
  }, [savedKey, navigate, workspace.id])

  const set = (change: Partial<BlockTypeHeader>) => setHead((before) => ({ ...before, ...change }))
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (isFaulty || !parsed.ok) return
        if (risks.length > 0) setAsking(true)
        else send()
      }}
    >
      <Stack gap="lg" maw={860}>
        <FoundWork
          found={found}
          isDirty={isDirty}
          onDiscard={() => {
            setHead(headOf(stored))
            setFields(first())
          }}
        />
        <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={t('name')}
              value={head.name}
              onChange={({ currentTarget: { value } }) => set({ name: value, ...(!stored && !isKeyTyped && { key: keyFrom(value) }) })}
              maxLength={LIMITS.blockNameLength}
              required
              error={isChecked && isNameless && t('nameMissing')}
            />
            <TextInput
              label={t('keyLabel')}
              description={t('keyHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              classNames={{ input: 'cf-code' }}
              value={head.key}
              onChange={({ currentTarget: { value } }) => (setKeyTyped(true), set({ key: value }))}
              maxLength={LIMITS.blockKeyLength}
              required
              disabled={stored !== undefined}
              error={(isChecked || head.key !== '') && keyFault && t('keyFault')}
            />
            <Autocomplete
              label={t('screen')}
              description={t('screenHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              data={[...new Set(types.items.map(({ screen }) => screen))].filter(Boolean).toSorted()}
              value={head.screen}
              onChange={(screen) => set({ screen })}
              maxLength={LIMITS.screenLength}
            />
            <Select
              label={t('design')}
              description={t('designHint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder={t('noDesign')}
              data={DESIGN_TYPES.map((value) => ({ value, label: t(`design_${value}`) }))}
              value={head.designType}
              onChange={(designType) => set({ designType })}
              clearable
            />
            <Switch
              label={t('inCampaignsLabel')}
              checked={head.inCampaigns}
              onChange={({ currentTarget: { checked } }) => set({ inCampaigns: checked })}
            />
          </SimpleGrid>
        </Paper>
        <FieldList fields={fields} onChange={setFields} types={types.items} isChecked={isChecked} />
        {isChecked && !isFaulty && !parsed.ok && <Failure error={new Error(parsed.error)} />}
        {save.error && <Failure error={save.error} />}
        <Group>
          <Button type="submit" loading={save.isPending} disabled={stored !== undefined && !isDirty}>
            {t(stored ? 'save' : 'create')}
          </Button>
          <Button variant="default" component={Link} to={cancelPath}>
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={send}
        title={t('riskTitle')}
        action={t('riskAction')}
        isBusy={save.isPending}
        isDangerous
      >
        <List size="sm" spacing="xs">
          {risks.map((risk) => (
            <List.Item key={risk.kind + risk.name}>{t(`risk_${risk.kind}`, { ...risk })}</List.Item>
          ))}
        </List>
      </Confirm>
      <UnsavedGuard isDirty={isDirty && savedKey === undefined} onLeave={forget} />
    </form>
  )
}

function headOf(stored: BlockType | undefined): BlockTypeHeader {
  if (!stored) return { name: '', key: '', screen: '', designType: null, inCampaigns: false }
  const { name, key, screen, designType, inCampaigns } = stored
  return { name, key, screen, designType, inCampaigns }
}

type FieldListProps = { fields: FieldDraft[]; onChange: (fields: FieldDraft[]) => void; types: BlockType[]; isChecked: boolean }

function FieldList({ fields, onChange, types, isChecked }: FieldListProps) {
  const t = useTypeTexts()
  const format = useFormat()
  const replace = (at: number, field: FieldDraft) => onChange(fields.with(at, field))
  const move = (from: number, to: number) => {
    const moved = fields[from]
    if (moved) onChange(fields.toSpliced(from, 1).toSpliced(to, 0, moved))
  }
  return (
    <Stack gap="sm">
      <Title order={2}>{t('fields')}</Title>
      {fields.length === 0 && <Text c="dimmed">{t('noFields')}</Text>}
      {fields.map((field, index) => (
        <FieldEditor
          key={field.rowId}
          title={field.label || field.tag || t('fieldNumber', { number: format.number(index + 1) })}
          field={field}
          types={types}
          faults={isChecked ? faultsOf(field) : []}
          onChange={(changed) => replace(index, changed)}
          onRemove={() => onChange(fields.toSpliced(index, 1))}
          onUp={index > 0 ? () => move(index, index - 1) : undefined}
          onDown={index < fields.length - 1 ? () => move(index, index + 1) : undefined}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={fields.length >= LIMITS.fieldsPerDefinition}
        onClick={() => onChange([...fields, blankDraft(`new-${crypto.randomUUID()}`)])}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('addField')}
      </Button>
    </Stack>
  )
}
