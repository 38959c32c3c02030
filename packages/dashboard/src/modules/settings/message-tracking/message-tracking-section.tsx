import { Button, Checkbox, Group, Radio, SimpleGrid, Stack } from '@mantine/core'
import { useState } from 'react'
import { TRACKING_MODES, type TrackingMode } from '@contentflow/core/messages/responses/tracking.ts'
import type { MessageTracking } from '@contentflow/server/wire.ts'
import { useRead, useWrite } from '../../../data.ts'
import { useSession } from '../../../session.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { Section } from '../../../ui/section.tsx'
import { UnsavedGuard } from '../../../ui/unsaved/unsaved-guard.tsx'
import { OnlyFor } from '../notes.tsx'
import { useMessageTrackingTexts } from './texts-message-tracking.ts'

const PATH = '/settings/message-tracking'

/** Of whom openings and clicks of emails are counted. */
export function MessageTrackingSection() {
  const t = useMessageTrackingTexts()
  const { mayAdmin } = useSession()
  const setting = useRead<MessageTracking>(PATH)
  return (
    <Section title={t('title')} text={t('text')}>
      <Loaded read={setting} height={160}>
        {(stored) => <TrackingForm key={JSON.stringify(stored)} stored={stored} />}
      </Loaded>
      {!mayAdmin && <OnlyFor who="admins" />}
    </Section>
  )
}

function TrackingForm({ stored }: { stored: MessageTracking }) {
  const t = useMessageTrackingTexts()
  const { mayAdmin } = useSession()
  const [wanted, setWanted] = useState(stored)
  const save = useWrite<MessageTracking>((body) => ({ method: 'PUT', path: PATH, body }), {
    stale: [PATH],
    done: t('saved'),
    showsError: true,
  })
  const isChanged = wanted.opens !== stored.opens || wanted.clicks !== stored.clicks || wanted.trap !== stored.trap
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) save.mutate(wanted)
      }}
    >
      <UnsavedGuard isDirty={isChanged && !save.isPending} />
      <Stack gap="sm" align="flex-start">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {(['opens', 'clicks'] as const).map((of) => (
            <ModeField
              key={of}
              label={t(of)}
              value={wanted[of]}
              isLocked={!mayAdmin}
              onChange={(mode) => setWanted({ ...wanted, [of]: mode })}
            />
          ))}
        </SimpleGrid>
        <Checkbox
          label={t('trap')}
          description={t('trapText')}
          checked={wanted.trap}
          disabled={!mayAdmin}
          onChange={({ currentTarget }) => setWanted({ ...wanted, trap: currentTarget.checked })}
        />
        {mayAdmin && (
          <Group>
            <Button type="submit" disabled={!isChanged} loading={save.isPending}>
              {t('save')}
            </Button>
          </Group>
        )}
        {save.error && <Failure error={save.error} />}
      </Stack>
    </form>
  )
}

type ModeFieldProps = { label: string; value: TrackingMode; isLocked: boolean; onChange: (mode: TrackingMode) => void }

function ModeField({ label, value, isLocked, onChange }: ModeFieldProps) {
  const t = useMessageTrackingTexts()
  return (
    <Radio.Group label={label} value={value}>
      <Stack gap="xs" mt="xs">
        {TRACKING_MODES.map((mode) => (
          <Radio
            key={mode}
            value={mode}
            label={t(mode)}
            disabled={isLocked}
            {...(mode !== 'off' && { description: t(`${mode}Text`) })}
            onChange={() => onChange(mode)}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
