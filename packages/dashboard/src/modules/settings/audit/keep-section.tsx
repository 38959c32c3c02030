import { Button, Stack, Switch } from '@mantine/core'
import { useState } from 'react'
import type { AuditSettings } from '@contentflow/server/wire.ts'
import { useRead, useWrite } from '../../../data.ts'
import { Failure } from '../../../ui/failure.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import { SETTINGS } from './paths.ts'
import { useAuditTexts } from './texts.ts'

const [FEWEST, MOST] = [90, 3_650]
type Wanted = { retentionDays: number | undefined; recordReads: boolean }

/** How long entries are kept, and whether reads leave some too. */
export function KeepSection() {
  const t = useAuditTexts()
  const settings = useRead<AuditSettings>(SETTINGS)
  return (
    <Section title={t('keepTitle')}>
      <Loaded read={settings} height={160}>
        {({ retentionDays, recordReads }) => <KeepForm key={`${retentionDays} ${recordReads}`} stored={{ retentionDays, recordReads }} />}
      </Loaded>
    </Section>
  )
}

function KeepForm({ stored }: { stored: Wanted }) {
  const t = useAuditTexts()
  const [wanted, setWanted] = useState(stored)
  const save = useWrite<Wanted>((body) => ({ method: 'PUT', path: SETTINGS, body }), {
    stale: [SETTINGS, '/audit'],
    done: t('saved'),
    showsError: true,
  })
  const days = wanted.retentionDays ?? Number.NaN
  const isAllowed = Number.isInteger(days) && days >= FEWEST && days <= MOST
  const isChanged = JSON.stringify(wanted) !== JSON.stringify(stored)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged && isAllowed) save.mutate(wanted)
      }}
    >
      <UnsavedGuard isDirty={isChanged && !save.isPending} />
      <Stack gap="sm" align="flex-start">
        <NumberField
          label={t('days')}
          description={t('daysText')}
          value={wanted.retentionDays}
          onChange={(retentionDays) => setWanted({ ...wanted, retentionDays })}
          min={FEWEST}
          max={MOST}
          isWhole
        />
        <Switch
          label={t('reads')}
          description={t('readsText')}
          checked={wanted.recordReads}
          onChange={({ currentTarget: { checked } }) => setWanted((before) => ({ ...before, recordReads: checked }))}
        />
        <Button type="submit" disabled={!isChanged || !isAllowed} loading={save.isPending}>
          {t('save')}
        </Button>
        {save.error && <Failure error={save.error} />}
      </Stack>
    </form>
  )
}
